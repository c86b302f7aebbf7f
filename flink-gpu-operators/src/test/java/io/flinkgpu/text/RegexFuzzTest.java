package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static org.assertj.core.api.Assertions.assertThat;

/** Random rule sets and rows: the automata answer as {@code java.util.regex} does. */
class RegexFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260101);
    private static final int RULE_SETS = Integer.getInteger("fuzz.ruleSets", 600);
    private static final int ROWS = 12;

    @Test
    void dfaAgreesWithTheJdk() {
        int compared = 0;
        for (int i = 0; i < RULE_SETS; i++) {
            long seed = SEED + i;
            RandomRegex random = new RandomRegex(new Random(seed));
            List<String> regexes = regexes(random, new Random(seed));
            Pattern pattern = compiledByJdk(regexes);
            CompiledRules rules = pattern == null ? null : compiled(regexes);
            if (rules == null) {
                continue;
            }
            for (int j = 0; j < ROWS; j++) {
                String row = random.row();
                byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
                List<Found> expected = Found.byJdk(pattern, row);
                assertThat(Found.byDfa(rules.dfa(), bytes))
                        .as("seed=%d regexes=%s row=%s", seed, regexes, escaped(row))
                        .isEqualTo(expected);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(RULE_SETS * ROWS / 4);
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
