package io.flinkgpu.text;

import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.RequiredBytes;
import io.flinkgpu.text.automaton.UnknownBytes;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RuleCompiler, UnknownBytes.
 */
class RuleCompilerTest {

    @Test
    void theDefaultRulesMakeASmallAutomatonQuickly() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        CompiledRules rules = RuleCompiler.compile(TestRules.defaults());
        long millis = (threads.getCurrentThreadCpuTime() - began) / 1_000_000;
        assertThat(rules.dfa().states()).isEqualTo(1538);
        assertThat(rules.dfa().classCount()).isEqualTo(93 + 1);
        assertThat(rules.warnings()).isEmpty();
        assertThat(millis).isLessThan(1000);
    }

    @Test
    void statesAreInTheOrderThatWalksRelyOn() {
        Dfa dfa = RuleCompiler.compile(TestRules.defaults()).dfa();
        assertThat(dfa.finalLimit()).isBetween(1, dfa.matchLimit());
        for (int symbol = 0; symbol < dfa.classCount(); symbol++) {
            assertThat(dfa.next(Dfa.DEAD, symbol)).isEqualTo(Dfa.DEAD);
            for (int state = 1; state < dfa.finalLimit(); state++) {
                assertThat(dfa.next(state, symbol)).isEqualTo(Dfa.DEAD);
            }
        }
        for (int state = 0; state < dfa.states(); state++) {
            assertThat(dfa.next(state, dfa.endClass())).isLessThan(dfa.finalLimit());
        }
    }

    @Test
    void assertionsAtTheStartDependOnWhatPrecedes() {
        Dfa begin = RuleCompiler.compile(TestRules.of("^a")).dfa();
        assertThat(begin.startState(Dfa.AT_START)).isNotEqualTo(Dfa.DEAD);
        assertThat(begin.startState(Dfa.AFTER_OTHER)).isEqualTo(Dfa.DEAD);
        assertThat(begin.startState(Dfa.AFTER_WORD)).isEqualTo(Dfa.DEAD);
        Dfa word = RuleCompiler.compile(TestRules.of("\\ba")).dfa();
        assertThat(word.startState(Dfa.AFTER_WORD)).isEqualTo(Dfa.DEAD);
        assertThat(word.startState(Dfa.AFTER_CR)).isEqualTo(word.startState(Dfa.AT_START));
    }

    @Test
    void aPreferredMatchSeenLaterReplacesAnEarlierOne() {
        assertThat(found("a$|ab?|a\\n", "a\n")).containsExactly(new Found(0, 1, 0));
        assertThat(found("abc|a", "abab")).containsExactly(new Found(0, 1, 0), new Found(2, 3, 0));
        assertThat(found("a|abc", "abc")).containsExactly(new Found(0, 1, 0));
        assertThat(found("ab\\b|a", "ab abc"))
                .containsExactly(new Found(0, 2, 0), new Found(3, 4, 0));
        assertThat(found("(?:a|ab)(?:c|bcd)(?:d*)", "abcd")).containsExactly(new Found(0, 4, 0));
        assertThat(found("a+?b??", "aab")).containsExactly(new Found(0, 1, 0), new Found(1, 2, 0));
    }

    @Test
    void dollarIsBeforeALastLineTerminatorButNotInsideCrLf() {
        String[] terminators = {"", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"};
        for (String terminator : terminators) {
            assertThat(found("a$", "a" + terminator)).containsExactly(new Found(0, 1, 0));
        }
        for (String rest :
                new String[] {"b", "\n\n", "\n\r", "\r\r", "\r\nb", "\u0085\n", "\u000b"}) {
            assertThat(found("a$", "a" + rest)).as(RuleErrors.oneLine(rest, 9)).isEmpty();
        }
        assertThat(found("a\\r?$", "a\r\n")).containsExactly(new Found(0, 1, 0));
        assertThat(found("a\\r$", "a\r\n")).isEmpty();
        assertThat(found("a\\s*\\z", "a\r\n")).containsExactly(new Found(0, 3, 0));
        assertThat(found("a\\z", "a\n")).isEmpty();
    }

    @Test
    void bytesThatAreNotUtf8AreUnknownCharacters() {
        CompiledRules rules = RuleCompiler.compile(TestRules.of("(?s).", "[^a]", "\\W"));
        Dfa any = rules.dfa();
        byte[][] rows = {
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            {(byte) 0xc0, (byte) 0x80},
            {(byte) 0xe0, (byte) 0x80, (byte) 0xaf},
            {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xf8},
            {(byte) 0xff},
            {(byte) 0x80},
            {(byte) 0xe2, (byte) 0x80},
            {(byte) 0xf0, (byte) 0x9f, (byte) 0x98}
        };
        for (byte[] row : rows) {
            byte[] marked = UnknownBytes.marked(row, row.length);
            assertThat(Found.byDfa(any, marked)).hasSize(row.length);
            assertThat(Found.byLinearMatcher(rules.newLinearMatcher(), marked)).hasSize(row.length);
        }
        byte[] mixed = {(byte) 0xc3, 'a', (byte) 0xc3, (byte) 0xa9, 'b'};
        assertThat(Found.byDfa(any, UnknownBytes.marked(mixed, mixed.length)))
                .containsExactly(
                        new Found(0, 1, 0),
                        new Found(1, 2, 0),
                        new Found(2, 4, 0),
                        new Found(4, 5, 0));
    }

    @Test
    void escapesAndFlagsAreThoseOfTheJdk() {
        assertThat(found("\\xe9", "\u00e9")).containsExactly(new Found(0, 2, 0));
        assertThat(found("\\ud83d\\ude00", "\ud83d\ude00")).containsExactly(new Found(0, 4, 0));
        assertThat(found("\\061\\0061\\x31\\u0031\\x{31}\\cA", "11111\u0001")).hasSize(1);
        assertThat(found("\\Q1.\\E+", "1..")).containsExactly(new Found(0, 3, 0));
        assertThat(found("(?i)k\u00e9", "K\u00e9 \u212a\u00e9 k\u00c9"))
                .containsExactly(new Found(0, 3, 0));
        assertThat(found("x(?i)a|b", "xA B"))
                .containsExactly(new Found(0, 2, 0), new Found(3, 4, 0));
        assertThat(found("(?:(?i)a)b", "AB Ab")).containsExactly(new Found(3, 5, 0));
        assertThat(found("(?i:a(?-i)b)c", "ABc Abc")).containsExactly(new Found(4, 7, 0));
        assertThat(found("(?s)a.(?-s).", "a\n\n a\nb")).containsExactly(new Found(4, 7, 0));
        assertThat(found("]}-", "]}-")).containsExactly(new Found(0, 3, 0));
    }

    @Test
    void aRuleThatCannotMatchIsWarnedAbout() {
        List<String> warnings =
                RuleCompiler.compile(TestRules.of("a+", "[a&&b]", "aa", "b", "\\ud800")).warnings();
        assertThat(warnings).hasSize(3);
        assertThat(warnings.get(0))
                .isEqualTo(
                        "Redaction rule 'rule2' (#2): it can never match: no text does, or an earlier"
                                + " rule always matches first; correct or remove it. Regex: [a&&b]");
        assertThat(warnings.get(1)).contains("(#3)");
        assertThat(warnings.get(2)).contains("(#5)");
    }

    @Test
    void requiredBytesAreInEveryMatch() {
        CompiledRules rules =
                RuleCompiler.compile(
                        TestRules.of(
                                "[a-z]+@[a-z]+",
                                "(?i)k:v",
                                "ab|bc",
                                "(?:x-)?y{2,}",
                                "\u00e9",
                                "[\u00e0-\u00ff]"));
        assertThat(required(rules, 0)).isEqualTo("@");
        assertThat(required(rules, 1)).isEqualTo(":");
        assertThat(required(rules, 2)).isEqualTo("b");
        assertThat(required(rules, 3)).isEqualTo("y");
        assertThat(required(rules, 4)).isEqualTo("\u00a9\u00c3");
        assertThat(required(rules, 5)).isEqualTo("\u00c3");
    }

    @Test
    void compiledRulesTravel() throws Exception {
        CompiledRules rules = RuleCompiler.compile(TestRules.defaults());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(rules);
        }
        CompiledRules copy;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = (CompiledRules) in.readObject();
        }
        byte[] row = "mail bob@example.org from 10.0.0.1".getBytes(StandardCharsets.UTF_8);
        assertThat(Found.byDfa(copy.dfa(), row))
                .hasSize(2)
                .isEqualTo(Found.byDfa(rules.dfa(), row));
        assertThat(Found.byLinearMatcher(copy.newLinearMatcher(), row))
                .isEqualTo(Found.byDfa(rules.dfa(), row));
    }

    private static String required(CompiledRules rules, int rule) {
        BitSet bytes = RequiredBytes.of(RuleReader.read(rules.ruleSet()).get(rule));
        StringBuilder text = new StringBuilder();
        bytes.stream().forEach(b -> text.append((char) b));
        return text.toString();
    }

    private static List<Found> found(String regex, String row) {
        CompiledRules rules = RuleCompiler.compile(TestRules.of(regex));
        byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
        List<Found> found = Found.byDfa(rules.dfa(), bytes);
        assertThat(Found.byLinearMatcher(rules.newLinearMatcher(), bytes)).isEqualTo(found);
        assertThat(Found.byJdk(Found.jdkPattern(List.of(regex)), row)).isEqualTo(found);
        return found;
    }
}
