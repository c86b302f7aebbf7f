package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.LiteralIndex;
import io.flinkgpu.text.automaton.Nfa;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule set and the automata made of it. Immutable; travels in the job graph.
 *
 * @param parts one of all rules, or several that have each rule once: last those with a text that every match holds,
 *     of one rule each
 * @param literals the texts of the last parts, numbered from 0 on; null if there is one part of all rules
 * @param warnings one line for each rule that can never match, in rule order
 */
@Internal
public record CompiledRules(
        RuleSet ruleSet, List<RulePart> parts, LiteralIndex literals, List<String> warnings)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public CompiledRules {
        parts = List.copyOf(parts);
        warnings = List.copyOf(warnings);
    }

    private Object writeReplace() {
        return new PackedRules(this);
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

    /** Whether all rules are in one automaton, and {@link #dfa()} and its kin are there. */
    public boolean isOneAutomaton() {
        return literals == null;
    }

    /** The same rules for records that are plain text, and searched as they are. */
    public CompiledRules plain() {
        return ruleSet.isPlain()
                ? this
                : new CompiledRules(ruleSet.withoutFormsAndStructure(), parts, literals, warnings);
    }

    /** How many states the automata have. */
    public int states() {
        return parts.stream().mapToInt(part -> part.dfa().states()).sum();
    }

    /** The part that has all rules. */
    public RulePart whole() {
        if (!isOneAutomaton()) {
            throw new IllegalStateException("the rules are " + parts.size() + " automata");
        }
        return parts.get(0);
    }

    /** The automaton of all rules. */
    public Dfa dfa() {
        return whole().dfa();
    }

    /** What {@link #dfa()} is made of. */
    public Nfa nfa() {
        return whole().nfa();
    }

    /** See {@link RulePart#prefilter()}. */
    public Prefilter prefilter() {
        return whole().prefilter();
    }

    /** See {@link RulePart#rivals()}. */
    public Rivals rivals() {
        return whole().rivals();
    }

    /** A matcher of the one automaton whose time is linear in the row for every input. Not thread-safe. */
    public LinearMatcher newLinearMatcher() {
        return whole().newLinearMatcher(1);
    }

    /** The matches of all rules by the {@link LinearMatcher} alone. Not thread-safe. */
    public LinearMatches newLinearMatches() {
        return LinearMatches.ofMatchers(parts, literals);
    }

    /**
     * The matches of all rules, in time that is linear in the row for every input: by walks, as most rows take few
     * steps, and by {@link LinearMatcher} where they take too many. Not thread-safe.
     */
    public LinearMatches newMatches() {
        return LinearMatches.ofWalks(parts, literals, ruleSet);
    }
}
