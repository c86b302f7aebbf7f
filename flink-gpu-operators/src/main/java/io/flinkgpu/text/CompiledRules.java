package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Nfa;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule set and the automata made of it. Immutable; travels in the job graph.
 *
 * @param dfa the automaton of all rules
 * @param prefilter a byte that spares rows without it the search for some rules; null if no byte is
 *     worth it
 * @param rivals what is tried where a match is refused or kept
 * @param warnings one line for each rule that can never match, in rule order
 */
@Internal
public record CompiledRules(
        RuleSet ruleSet,
        Nfa nfa,
        Dfa dfa,
        Prefilter prefilter,
        Rivals rivals,
        List<String> warnings)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public CompiledRules {
        warnings = List.copyOf(warnings);
    }

    /**
     * The same rules.
     *
     * @throws RuleException if some can never match and the rule set does not allow it
     */
    public CompiledRules requireMatchable() {
        if (warnings.isEmpty() || ruleSet.allowsUnmatchable()) {
            return this;
        }
        List<String> errors = new ArrayList<>(warnings);
        errors.add(
                "Rules that never match protect nothing: if that is meant, allow it with"
                        + " RuleSet.allowUnmatchable(), or in YAML with 'unmatchable: allow'");
        throw new RuleException(errors);
    }

    /** The same rules for records that are plain text, and searched as they are. */
    public CompiledRules plain() {
        return ruleSet.isPlain()
                ? this
                : new CompiledRules(
                        ruleSet.withoutFormsAndStructure(), nfa, dfa, prefilter, rivals, warnings);
    }

    /** How many states the automaton of all rules has. */
    public int states() {
        return dfa.states();
    }

    /** A matcher whose time is linear in the row for every input. Not thread-safe. */
    public LinearMatcher newLinearMatcher() {
        return new LinearMatcher(nfa);
    }
}
