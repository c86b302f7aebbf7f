package io.flinkgpu.text.automaton;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Prefilter.
 */
class PrefilterTest {

    @Test
    void theDefaultRulesHaveAGateAtTheirMailAddresses() {
        CompiledRules rules = RuleCompiler.compile(DefaultRules.get());
        assertThat(rules.prefilter().requiredByte()).isEqualTo('@');
        assertThat(rules.prefilter().dfaWithoutIt().states()).isLessThan(rules.dfa().states());
    }

    @Test
    void noGateWhereNoByteSparesMuch() {
        assertThat(compile("\\b[a-z]+\\d", "[A-Z]+=")).isNull();
        assertThat(compile("\\w+@\\w+")).as("every rule needs it").isNull();
    }

    @Test
    void leanRulesKeepTheirIndexes() {
        Prefilter prefilter = compile("\\w+@\\w+", "secret");
        assertThat(prefilter.requiredByte()).isEqualTo('@');
        Dfa lean = prefilter.dfaWithoutIt();
        int state = lean.startState(Dfa.AT_START);
        for (byte b : "secret".getBytes()) {
            state = lean.next(state, lean.classOf(b));
        }
        state = lean.next(state, lean.endClass());
        assertThat(state).isBetween(1, lean.matchLimit() - 1);
        assertThat(lean.rule(state)).isEqualTo(1);
    }

    private static Prefilter compile(String... regexes) {
        Rule[] rules = new Rule[regexes.length];
        for (int i = 0; i < regexes.length; i++) {
            rules[i] = Rule.of("r" + i, regexes[i], Action.drop());
        }
        return RuleCompiler.compile(RuleSet.of(rules)).prefilter();
    }
}
