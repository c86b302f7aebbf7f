package io.flinkgpu.text.regex;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: ClassParser, JavaForm, PatternText.
 */
class ClassParserTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a]",
                "[^a]",
                "[a-z]",
                "[]a]",
                "[^]a]",
                "[-a]",
                "[a-]",
                "[--/]",
                "[a-c-e]",
                "[+--]",
                "[\\d-z]",
                "[\\w-]",
                "[^\\d\\s]",
                "[\\W1]",
                "[a^]",
                "[&a]",
                "[a&]",
                "[.$^|(){}*+?]",
                "[\\]\\[\\\\-]",
                "[!-\\~]",
                "[\\t-\\r]",
                "[\\n\\r\\f\\t]",
                "[\\x41-\\x{5a}]",
                "[\\0101]",
                "[\\cA-\\cZ]",
                "[\\c]]",
                "[\\u00e0-\\u00ff]",
                "[\u00e9\ud83d\ude00]",
                "[^\ud83d\ude00]",
                "[k\u212a]",
                "[\\e\\a]",
                "[\\v\\h]",
                "[\\v-z]",
                "[^\\H]",
                "[a-z&&[^aeiou]]",
                "[a-f&&d-z]",
                "[&&a]",
                "[a[b-d]]",
                "[^a[b-d]]",
                "[a&&&]",
                "[[]a]]",
                "[\\p{L}\\d]",
                "[^\\P{Lu}]",
                "[\\p{javaLowerCase}]",
                "[\\QAk-z]\\E]",
                "[\\Qa\\E-z]",
                "[X-c]",
                "[^X-c]",
                "[\\-\\&&]"
            })
    void holdsWhatTheJdkSays(String text) {
        for (boolean ignoreCase : new boolean[] {false, true}) {
            PatternText pattern = PatternText.of(text);
            ClassParser parser = new ClassParser(pattern, new UnicodeClasses());
            assertThat(parser.end(0, false)).as(text).isEqualTo(pattern.length());
            CodePointSet set = parser.parse(0, pattern.length(), ignoreCase, false);
            Matcher jdk =
                    Pattern.compile(text, ignoreCase ? Pattern.CASE_INSENSITIVE : 0).matcher("");
            for (int codePoint = 0; codePoint <= 0x1f700; codePoint++) {
                if (codePoint < 0xd800 || codePoint > 0xdfff) {
                    boolean expected = jdk.reset(Character.toString(codePoint)).matches();
                    if (set.contains(codePoint) != expected) {
                        assertThat(expected)
                                .as("%s ignoreCase=%s U+%04x", text, ignoreCase, codePoint)
                                .isEqualTo(set.contains(codePoint));
                    }
                }
            }
        }
    }

    @Test
    void askedClassesAreNotTakenInsideSurrogatePairs() {
        UnicodeClasses classes = new UnicodeClasses();
        assertThat(classes.ask("[^\\x{10000}-\\x{10ffff}]", false, false).contains(0x1f600))
                .isFalse();
        assertThat(classes.ask("\\p{So}", false, false).contains(0x1f600)).isTrue();
        assertThat(classes.ask("\\P{So}", false, false).contains(0x1f600)).isFalse();
    }

    @Test
    void theNumberOfAskedClassesIsLimited() {
        UnicodeClasses classes = new UnicodeClasses();
        for (int i = 0; i < UnicodeClasses.MAX_ASKED; i++) {
            assertThat(classes.ask("\\x{" + Integer.toHexString(i) + "}", false, false))
                    .isNotNull();
        }
        assertThat(classes.ask("a", false, false)).isNull();
        assertThat(classes.ask("\\x{0}", false, false)).isEqualTo(CodePointSet.range(0, 0));
    }

    @Test
    void nestingCountsClassesInsideClasses() {
        assertThat(RegexParser.nesting(PatternText.of("a"))).isZero();
        assertThat(RegexParser.nesting(PatternText.of("((a)(b)[(((])"))).isEqualTo(2);
        assertThat(RegexParser.nesting(PatternText.of("([a[b[c]]])"))).isEqualTo(4);
        assertThat(RegexParser.nesting(PatternText.of("\\(\\Q((\\E["))).isEqualTo(1);
    }
}
