package io.flinkgpu.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.PublicEvolving;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What becomes of a rule: whether it is accepted, what it costs, or why it is refused and what to write instead.
 *
 * @param rule its name
 * @param states of the automaton that looks for it; 0 if it is refused
 * @param cost what looking for it costs
 * @param wider whether these rules need several automata, and it is looked for by one that also matches elsewhere, as its own is
 *     too large: the rule itself is tried where that matches, on a GPU by the host
 * @param problems one line each, as of {@link RuleException}, with the rule's name and no number; empty if it is accepted
 */
@PublicEvolving
public record RuleCheck(String rule, int states, Cost cost, boolean wider, List<String> problems) {

    /** How far a rule alone walks on ordinary log lines, in automaton steps a byte. */
    public enum Cost {
        /** Fewer than 0.1: few positions start a walk. */
        LOW,
        /** Fewer than 1. */
        MIDDLE,
        /** 1 or more: it walks from nearly everywhere. */
        HIGH,
        /** It is refused. */
        NONE
    }

    public RuleCheck {
        problems = List.copyOf(Errors.present("problems", problems));
    }

    /** Whether it is accepted. */
    public boolean accepted() {
        return problems.isEmpty();
    }

    /**
     * Checks each rule alone, in order. A rule whose own automaton is large is looked for by a wider one if the set of the
     * accepted rules needs several automata.
     */
    public static List<RuleCheck> of(List<Rule> rules) {
        Errors.present("rules", rules);
        List<RuleCheck> checks = new ArrayList<>();
        List<Rule> accepted = new ArrayList<>();
        for (Rule rule : rules) {
            RuleCheck check = of(rule, RuleCompiler::compileInParts);
            checks.add(check);
            if (check.accepted()) {
                accepted.add(rule);
            }
        }
        if (checks.stream().anyMatch(RuleCheck::wider) && isOneAutomaton(accepted)) {
            for (int i = 0; i < checks.size(); i++) {
                if (checks.get(i).wider) {
                    checks.set(i, of(rules.get(i), RuleCompiler::compile));
                }
            }
        }
        return checks;
    }

    private static boolean isOneAutomaton(List<Rule> rules) {
        try {
            return rules.size() <= RuleCompiler.MOST_RULES_OF_ONE
                    && RuleCompiler.compile(RuleSet.of(rules)).isOneAutomaton();
        } catch (IllegalArgumentException e) {
            return false; // Together they are no set: too large, or two of a name.
        }
    }

    private static RuleCheck of(Rule rule, Function<RuleSet, CompiledRules> compiler) {
        try {
            CompiledRules compiled = compiler.apply(RuleSet.of(rule)).requireMatchable();
            RulePart part = compiled.parts().get(0);
            double steps = Prefilter.stepsPerByte(part.dfa());
            Cost cost = steps < 0.1 ? Cost.LOW : steps < 1 ? Cost.MIDDLE : Cost.HIGH;
            return new RuleCheck(rule.name(), compiled.states(), cost, part.isWider(), List.of());
        } catch (RuleException e) {
            return new RuleCheck(rule.name(), 0, Cost.NONE, false, e.errors());
        }
    }
}
