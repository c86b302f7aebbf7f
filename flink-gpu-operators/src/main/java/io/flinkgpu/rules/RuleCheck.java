package io.flinkgpu.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.automaton.Prefilter;

import org.apache.flink.annotation.PublicEvolving;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a rule: whether it is accepted, what it costs, or why it is refused and what to write instead.
 *
 * @param rule its name
 * @param states of the automaton that looks for it, which has none of its counts where its own is too large; 0 if it is
 *     refused
 * @param cost what looking for it costs
 * @param problems one line each, as of {@link RuleException}, with the rule's name and no number; empty if it is accepted
 */
@PublicEvolving
public record RuleCheck(String rule, int states, Cost cost, List<String> problems) {

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

    /** Checks each rule alone, in order. */
    public static List<RuleCheck> of(List<Rule> rules) {
        Errors.present("rules", rules);
        List<RuleCheck> checks = new ArrayList<>();
        rules.forEach(rule -> checks.add(of(rule)));
        return checks;
    }

    private static RuleCheck of(Rule rule) {
        try {
            CompiledRules compiled = RuleCompiler.compile(RuleSet.of(rule)).requireMatchable();
            double steps = Prefilter.stepsPerByte(compiled.parts().get(0).dfa());
            Cost cost = steps < 0.1 ? Cost.LOW : steps < 1 ? Cost.MIDDLE : Cost.HIGH;
            return new RuleCheck(rule.name(), compiled.states(), cost, List.of());
        } catch (RuleException e) {
            return new RuleCheck(rule.name(), 0, Cost.NONE, e.errors());
        }
    }
}
