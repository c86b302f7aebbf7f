package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.regex.RefusedRulesTest;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * No rule makes compilation hang, overflow the stack or fill the heap.
 *
 * <p>Covers: RuleCompiler, PartCutter.
 */
@Timeout(60)
class SizeGuardTest {

    @Test
    void repeatsOfRepeats() {
        assertTooLarge("(?:(?:(?:a{1,1000}){1,1000}){1,1000})", "100000 positions");
        assertTooLarge("(?:(?:(?:[a&&b]{1,1000}){1,1000}){1,1000})", "100000 positions");
        assertTooLarge("\\p{L}{1,1000}", "100000 positions");
    }

    @Test
    void anAutomatonThatDoublesWithEveryRepeat() {
        assertTooLarge("(?:a|b)*a(?:a|b){30}", " states");
        assertTooLarge(".*a.{20}", " states");
        assertTooLarge("(?:.{0,100}b){0,9}c", " states");
    }

    /** Its automaton takes more steps than others of a text may, and none can take its place. */
    @Test
    void aRuleOfManyPositionsHasItsOwnAutomatonWhereThatHasRoom() {
        RuleSet rules = TestRules.of("secret\"[^\"]{0,1200}\\w{20}\"");
        CompiledRules compiled = RuleCompiler.compileInParts(rules);
        assertThat(compiled.parts()).hasSize(1).noneMatch(RulePart::isWider);
    }

    /** It is looked for where its text is, by an automaton that also matches elsewhere, and then by the linear matcher. */
    @Test
    void aRuleWithATextMayBeTooLarge() throws Exception {
        String regex = "key_\\w{10,200}(?:abc|cab)\\w{10,200}={0,2};|xkey.{0,30}(?:\\d.{3,60}){9}!";
        RuleSet rules = TestRules.of(regex);
        CompiledRules compiled = RuleCompiler.compile(rules);
        assertThat(compiled.parts()).hasSize(1).allMatch(RulePart::isWider);
        Random random = new Random(5);
        RowRedactor redactor = new RowRedactor(compiled, new byte[0]);
        int changed = 0;
        for (int i = 0; i < 2_000; i++) {
            String run = "a".repeat(random.nextInt(200)) + "abc" + "b".repeat(random.nextInt(250));
            String digits = "1" + "-".repeat(2 + random.nextInt(4));
            String text =
                    "key_"
                            + run
                            + "cab"
                            + "c".repeat(random.nextInt(30))
                            + "=; xkey"
                            + digits.repeat(9)
                            + "! .";
            byte[] row = text.getBytes(StandardCharsets.US_ASCII);
            int length = redactor.redact(row, row.length, new long[1]);
            String expected = Pattern.compile(regex).matcher(text).replaceAll("[X]");
            assertThat(new String(redactor.buffer(), 0, length, StandardCharsets.US_ASCII))
                    .isEqualTo(expected);
            changed += redactor.changed() ? 1 : 0;
        }
        assertThat(changed).isBetween(500, 1_900);
    }

    @Test
    void manyRulesThatAreTooLargeTogetherAreSeveralAutomata() {
        RuleSet rules = manyRules();
        CompiledRules compiled = RuleCompiler.compile(rules);

        assertThat(compiled.isOneAutomaton()).isFalse();
        assertThat(compiled.parts().size()).isBetween(2, 39);
        assertThat(compiled.parts().stream().flatMap(part -> Arrays.stream(part.rules()).boxed()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, rules.size()).boxed().toList());
    }

    @Test
    void asOneAutomatonTheyNameTheLargest() {
        RuleSet rules = manyRules();
        assertThatThrownBy(() -> RuleCompiler.compileAsOne(rules, RuleReader.read(rules)))
                .isInstanceOf(RuleException.class)
                .hasMessageContainingAll(
                        "'rule8' (#8)",
                        "the rule set needs more than",
                        "adds most, alone it needs ",
                        " states: use smaller repeat counts");
    }

    private static RuleSet manyRules() {
        String[] regexes = new String[40];
        for (int i = 0; i < regexes.length; i++) {
            regexes[i] = (char) ('A' + i % 26) + ".{0," + (i == 7 ? 300 : 100) + "}x" + i;
        }
        return TestRules.of(regexes);
    }

    @Test
    void deepNesting() {
        for (String open : new String[] {"(", "(?:", "[", "(?i:", "[^a"}) {
            String close = open.startsWith("[") ? "]" : ")";
            String regex = open.repeat(5000) + "a" + close.repeat(5000);
            assertThat(RefusedRulesTest.errors(regex).get(0))
                    .contains(
                            "groups nest too deeply: nesting=5000, at most 100; flatten the regex");
        }
        String deepest = "(?:a".repeat(100) + ")?".repeat(99) + ")";
        assertThat(RuleCompiler.compile(TestRules.of(deepest)).dfa().states()).isGreaterThan(100);
    }

    @Test
    void longRegexes() {
        assertThat(RefusedRulesTest.errors("a".repeat(1 << 20)).get(0))
                .contains("the regex is too long: chars=1048576, at most 65536; split the regex");
        assertThat(RefusedRulesTest.errors("a?".repeat(32_000) + "b").get(0))
                .containsAnyOf("too long for the JDK's regex parser; split the regex", "too large");
        String words = "word" + "|abcdefgh".repeat(7000);
        assertThat(RuleCompiler.compile(TestRules.of(words)).dfa().states()).isLessThan(20);
    }

    @Test
    void manyClassesThatTheJdkMustBeAskedAbout() {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            regex.append("[[a\\x{").append(Integer.toHexString(0x100 + i)).append("}]]");
        }
        assertThat(RefusedRulesTest.errors(regex.toString()))
                .hasSize(100)
                .allMatch(
                        error -> error.contains("may hold 100 different ones that are not plain"));
    }

    private static void assertTooLarge(String regex, String needs) {
        assertThat(RefusedRulesTest.errors(regex).get(0))
                .startsWith("Redaction rule 'rule1': too large, it needs more than ")
                .contains(needs + ": use smaller repeat counts")
                .endsWith("Regex: " + regex);
    }
}
