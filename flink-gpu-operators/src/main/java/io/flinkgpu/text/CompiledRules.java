package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;

import java.io.Serializable;

/** A rule set and the automata made of it. Immutable; travels in the job graph. */
public final class CompiledRules implements Serializable {

    private static final long serialVersionUID = 1L;

    private final RuleSet ruleSet;
    private final Nfa nfa;
    private final Dfa dfa;

    CompiledRules(RuleSet ruleSet, Nfa nfa, Dfa dfa) {
        this.ruleSet = ruleSet;
        this.nfa = nfa;
        this.dfa = dfa;
    }

    public RuleSet ruleSet() {
        return ruleSet;
    }

    /** The automaton of all rules. */
    public Dfa dfa() {
        return dfa;
    }

    /** A matcher whose time is linear in the row for every input. Not thread-safe. */
    public LinearMatcher newLinearMatcher() {
        return new LinearMatcher(nfa);
    }
}
