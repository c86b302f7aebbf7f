package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.GroupFinder;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Nfa;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * Some rules of a set in one automaton, numbered from 0 on in their order. Immutable.
 *
 * @param rules the index in the set of each of its rules, ascending; not to be written to
 * @param dfa the automaton of all of them
 * @param prefilter a byte that spares rows without it the search for some rules; null if no byte is worth it
 * @param rivals what is tried where a match is refused or kept
 * @param isWider whether the automaton also matches where its one rule, which is too large for an automaton, does not: a
 *     match by it only says that the rule's own may start there, which {@link GroupFinder#findEnd} tells
 */
@Internal
public record RulePart(
        int[] rules, Nfa nfa, Dfa dfa, Prefilter prefilter, Rivals rivals, boolean isWider)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Of each of its rules, whether what a match replaces is a group of it, which walks do not tell. */
    public boolean[] withGroup(RuleSet ruleSet) {
        boolean[] withGroup = new boolean[rules.length];
        for (int rule = 0; rule < rules.length; rule++) {
            withGroup[rule] = !ruleSet.rule(rules[rule]).group().isEmpty();
        }
        return withGroup;
    }

    /**
     * A matcher whose time is linear in the row for every input. Not thread-safe.
     *
     * @param sharers parts of the set that have such ones, which share the memory for what they keep
     */
    public LinearMatcher newLinearMatcher(int sharers) {
        return new LinearMatcher(nfa, sharers);
    }
}
