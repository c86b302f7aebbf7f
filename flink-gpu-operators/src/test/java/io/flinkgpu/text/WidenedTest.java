package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Widened.
 */
class WidenedTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "key.{0,40}\\b[a-z-]{32}\\b; true",
                "\\bkey.{0,40}[a-z-]{32}\\b; false",
                "(?:\\bkey|(?<!a)\\bword)=[0-9]+(?:\\b|$); false",
                "(?:key\\b|word)=[0-9]+; true",
                "(?:a\\b){2}; true"
            })
    void bordersAtItsEndsAreNotInIt(String regex, boolean inner) {
        assertThat(Widened.hasInnerBorder(read(regex))).isEqualTo(inner);
    }

    @Test
    void keepsTheLeastCounts() {
        Regex rule = read("key.{0,40}[a-z-]{32,40}(?:x{7}|y?)");
        assertThat(Widened.withoutLimits(rule)).isEqualTo(read("key.*[a-z-]{32,}(?:x{7}|y?)"));
        assertThat(Widened.withoutCounts(rule)).isEqualTo(read("key.*[a-z-]+(?:x+|y?)"));
    }

    /** A key of some letters fewer, behind a gap with borders, is none of such a rule. */
    @Test
    void aRuleTooLargeForAnAutomatonMatchesHardlyMore() throws Exception {
        RulePart part =
                RuleCompiler.aloneOrWider(
                        0, read("key.{0,40}\\b([a-z-]{32})\\b"), RuleCompiler.WORK_AT_A_TEXT);
        assertThat(part.isWider()).isTrue();
        assertThat(part.dfa().states()).isLessThan(100);
        assertThat(matches(part, "key = a-b-c." + "d-".repeat(15) + "d.")).isFalse();
        assertThat(matches(part, "key = a-b-c." + "d-".repeat(15) + "de.")).isTrue();
        assertThat(matches(part, "key = a-b-c." + "d-".repeat(20) + "d.")).isTrue();
        assertThat(matches(part, "key = " + "0".repeat(60) + "d".repeat(32))).isTrue();
    }

    /** The wider automaton has no borders in the middle, for which alone these match nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"key.{0,20}\\b[a-z-]{16}a\\bb", "key.{0,40}\\b[a-z-]{32}a\\ba\\b"})
    void aRuleTooLargeForAnAutomatonThatNeverMatchesIsTold(String regex) throws Exception {
        RulePart part = RuleCompiler.aloneOrWider(0, read(regex), RuleCompiler.WORK_AT_A_TEXT);
        assertThat(part.isWider()).isTrue();

        CompiledRules compiled = RuleCompiler.compileInParts(TestRules.of(regex));
        assertThatThrownBy(compiled::requireMatchable)
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("it can never match");
    }

    private static boolean matches(RulePart part, String text) {
        TextWalk walk = new TextWalk(part);
        byte[] row = text.getBytes(StandardCharsets.US_ASCII);
        walk.reset(row, row.length);
        return walk.find(0);
    }

    private static Regex read(String regex) {
        return RuleReader.read(TestRules.of(regex)).get(0);
    }
}
