package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LinearMatcher;
import io.flinkgpu.text.automaton.LiveSets;
import io.flinkgpu.text.automaton.RequiredBytes;
import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleErrors;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rule sets and rows: the automata answer as {@code java.util.regex} does.
 *
 * <p>Covers: RegexParser, DfaBuilder.
 */
class RegexFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260101);
    private static final int RULE_SETS = Integer.getInteger("fuzz.ruleSets", 600);
    private static final int ROWS = 12;

    @Test
    void automataAgreeWithTheJdk() {
        int compared = 0;
        for (int i = 0; i < RULE_SETS; i++) {
            long seed = SEED + i;
            Random random = new Random(seed);
            RandomRegex source = new RandomRegex(random);
            List<String> regexes = regexes(source, random);
            Pattern pattern = compiledByJdk(regexes);
            CompiledRules rules = pattern == null ? null : compiled(regexes);
            if (rules == null) {
                continue;
            }
            Dfa dfa = rules.dfa();
            LinearMatcher roomy = rules.newLinearMatcher();
            LinearMatcher tight = new LinearMatcher(rules.nfa(), new LiveSets(rules.nfa(), 3));
            for (int j = 0; j < ROWS; j++) {
                String row = source.row();
                byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
                List<Found> expected = Found.byJdk(pattern, row);
                String input = "seed=" + seed + " regexes=" + regexes + " row=" + escaped(row);
                assertThat(Found.byDfa(dfa, bytes)).as(input).isEqualTo(expected);
                assertThat(Found.byLinearMatcher(roomy, bytes)).as(input).isEqualTo(expected);
                assertHoldRequiredBytes(rules, bytes, expected, input);
                assertRejectingAgrees(dfa, roomy, bytes, random.nextInt(), input);
                assertRejectingAgrees(dfa, tight, bytes, random.nextInt(), input);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(RULE_SETS * ROWS / 4);
    }

    /** Broken UTF-8 too: walks and matcher agree when some matches are turned down. */
    @Test
    void linearMatcherAgreesWithWalksOnAnyBytes() {
        byte[] alphabet = {'a', 'b', '1', '\n', '\r', ' ', (byte) 0xc3, (byte) 0xa9, (byte) 0xed};
        String[][] ruleSets = {
            {"a[ab]*b|a", "[^b]{2,}"},
            {"(?:aab?)+1|a+$", "\\b\\w+\\b"},
            {".{1,3}\\b", "\\s+?\\Z"},
            {"(?:ab|a)(?:bab|b)??1?", "\\S\\B\\S"},
            {"\u00e9+$|\u00e9", "^[^a]+"}
        };
        List<CompiledRules> compiled =
                Arrays.stream(ruleSets).map(TestRules::of).map(RuleCompiler::compile).toList();
        for (int i = 0; i < RULE_SETS; i++) {
            Random random = new Random(SEED + i);
            String[] regexes = ruleSets[i % ruleSets.length];
            CompiledRules rules = compiled.get(i % ruleSets.length);
            LinearMatcher roomy = rules.newLinearMatcher();
            LinearMatcher tight = new LinearMatcher(rules.nfa(), new LiveSets(rules.nfa(), 3));
            byte[] row = new byte[random.nextInt(60)];
            for (int j = 0; j < row.length; j++) {
                row[j] = alphabet[random.nextInt(alphabet.length)];
            }
            String input = "seed=" + (SEED + i) + " regexes=" + List.of(regexes);
            assertRejectingAgrees(rules.dfa(), roomy, row, random.nextInt(), input);
            assertRejectingAgrees(rules.dfa(), tight, row, random.nextInt(), input);
        }
    }

    private static void assertHoldRequiredBytes(
            CompiledRules rules, byte[] row, List<Found> matches, String input) {
        List<Regex> regexes = RuleReader.read(rules.ruleSet());
        for (Found match : matches) {
            BitSet missing = RequiredBytes.of(regexes.get(match.rule()));
            for (int i = match.from(); i < match.to(); i++) {
                missing.clear(row[i] & 0xff);
            }
            assertThat(missing.isEmpty()).as(input).isTrue();
        }
    }

    private static void assertRejectingAgrees(
            Dfa dfa, LinearMatcher matcher, byte[] row, int verdicts, String input) {
        matcher.reset(row, row.length);
        int from = 0;
        for (int finds = 0; from <= row.length; finds++) {
            Found expected = null;
            for (int at = from; at < row.length && expected == null; at++) {
                expected = Found.walk(dfa, row, at);
            }
            Found actual =
                    matcher.find(from)
                            ? new Found(matcher.start(), matcher.end(), matcher.rule())
                            : null;
            assertThat(actual)
                    .as("%s from=%d verdicts=%d", input, from, verdicts)
                    .isEqualTo(expected);
            if (expected == null) {
                return;
            }
            from = (verdicts >>> finds & 1) == 0 ? expected.from() + 1 : expected.to();
        }
    }

    private static List<String> regexes(RandomRegex random, Random counts) {
        List<String> regexes = new ArrayList<>();
        int count = 1 + counts.nextInt(3);
        for (int i = 0; i < count; i++) {
            regexes.add(random.regex());
        }
        return regexes;
    }

    private static Pattern compiledByJdk(List<String> regexes) {
        try {
            return Found.jdkPattern(regexes);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    private static CompiledRules compiled(List<String> regexes) {
        try {
            return RuleCompiler.compile(TestRules.of(regexes));
        } catch (RuleException e) {
            return null;
        }
    }

    private static String escaped(String row) {
        return RuleErrors.oneLine(row, row.length());
    }
}
