package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.Gate;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.Nfa;

import java.io.Serializable;
import java.util.List;

/** A rule set and the automata made of it. Immutable; travels in the job graph. */
public final class CompiledRules implements Serializable {

    private static final long serialVersionUID = 1L;

    private final RuleSet ruleSet;
    private final Nfa nfa;
    private final Dfa dfa;
    private final Gate gate;
    private final long[][] requiredBytes;
    private final String[] warnings;

    CompiledRules(
            RuleSet ruleSet,
            Nfa nfa,
            Dfa dfa,
            Gate gate,
            long[][] requiredBytes,
            List<String> warnings) {
        this.ruleSet = ruleSet;
        this.nfa = nfa;
        this.dfa = dfa;
        this.gate = gate;
        this.requiredBytes = requiredBytes;
        this.warnings = warnings.toArray(new String[0]);
    }

    public RuleSet ruleSet() {
        return ruleSet;
    }

    /** The automaton of all rules. */
    public Dfa dfa() {
        return dfa;
    }

    /** A byte that spares rows without it the search for some rules; null if no byte is worth it. */
    public Gate gate() {
        return gate;
    }

    /** A matcher whose time is linear in the row for every input. Not thread-safe. */
    public LinearMatcher newLinearMatcher() {
        return new LinearMatcher(nfa);
    }

    public Nfa nfa() {
        return nfa;
    }

    /**
     * Bytes that every match of a rule holds, so that a row without one of them needs no search for
     * the rule. Perhaps not all such bytes.
     *
     * @return a new set: byte {@code b} is in it if bit {@code b % 64} of entry {@code b / 64} is set
     */
    long[] requiredBytes(int rule) {
        return requiredBytes[rule].clone();
    }

    /** One line for each rule that can never match, in rule order. */
    public List<String> warnings() {
        return List.of(warnings);
    }
}
