package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RuleWarnings.
 */
class RuleWarningsTest {

    @Test
    void theBuiltInRulesHaveNone() {
        assertThat(RuleWarnings.of(DefaultRules.all())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret=\\S*?", "a(?:b|c+?)", "(?:ab{2,5}?)+", "ab??", "x(?:y(?:z*?))"})
    void aLazyEndMatchesNextToNothing(String regex) {
        assertThat(warnings(regex, Action.label("X")))
                .containsExactly(
                        "Redaction rule 'rule': it ends in a lazy repeat, which always matches as"
                                + " little as it may, and the rest stays; make it greedy, or add what"
                                + " follows. Regex: "
                                + regex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret=\\S*", "a.*?b", "a.*?$", "a.*?\\b", "ab{3}?", "(?:a+?)b|c"})
    void anotherEndIsAsGoodAsItLooks(String regex) {
        assertThat(warnings(regex, Action.label("X"))).isEmpty();
    }

    private static List<String> warnings(String regex, Action action) {
        return RuleWarnings.of(RuleSet.of(Rule.of("rule", regex, action)));
    }
}
