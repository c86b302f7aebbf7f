package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

/** Anything that redacts rows: the oracle, and whatever is compared with it. */
@FunctionalInterface
public interface Redactor {

    /**
     * Redacts rows.
     *
     * @param hashKey the key of hash actions; empty when no rule needs one
     * @param rows not written to
     * @throws RuleException when the rule set is refused
     */
    Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) throws Exception;

    /**
     * The answer.
     *
     * @param rows as many as went in, in the same order
     * @param changed whether each row had a match that was redacted
     * @param matchesPerRule redacted matches of each rule in all rows
     */
    record Redacted(byte[][] rows, boolean[] changed, long[] matchesPerRule) {}
}
