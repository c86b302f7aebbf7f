package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows on which an oracle comes to an end, as backtracking may not, and its answers.
 *
 * @param unanswered how many others there are
 */
record AnsweredRows(byte[][] rows, Redactor.Redacted expected, int unanswered) {

    static AnsweredRows of(Redactor oracle, RuleSet rules, byte[] hashKey, byte[][] rows)
            throws Exception {
        List<byte[]> answered = new ArrayList<>();
        List<Redactor.Redacted> answers = new ArrayList<>();
        long[] matches = new long[rules.size()];
        for (byte[] row : rows) {
            try {
                Redactor.Redacted answer = oracle.redact(rules, hashKey, new byte[][] {row});
                answered.add(row);
                answers.add(answer);
                Arrays.setAll(matches, rule -> matches[rule] + answer.matchesPerRule()[rule]);
            } catch (BudgetedText.OverBudgetException | StackOverflowError e) {
                // java.util.regex gives up.
                continue;
            }
        }
        boolean[] changed = new boolean[answers.size()];
        byte[][] redacted = new byte[answers.size()][];
        for (int i = 0; i < redacted.length; i++) {
            redacted[i] = answers.get(i).rows()[0];
            changed[i] = answers.get(i).changed()[0];
        }
        return new AnsweredRows(
                answered.toArray(byte[][]::new),
                new Redactor.Redacted(redacted, changed, matches),
                rows.length - answers.size());
    }
}
