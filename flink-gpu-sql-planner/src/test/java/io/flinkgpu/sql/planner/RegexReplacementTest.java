package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.program.RedactStep;

import org.apache.flink.table.runtime.functions.SqlFunctionUtils;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nested calls of REGEXP_REPLACE are one rule set where their order cannot matter, else one after another.
 *
 * <p>Covers: RegexReplacement, Apartness, RexTranslator, RuleAutomaton.
 */
class RegexReplacementTest {

    /** More with -Dsql.chains=200000. */
    private static final int CHAINS = Integer.getInteger("sql.chains", 3_000);

    private static final int TEXTS = 60;

    private final Plans plans = new Plans().source("r", "");

    @ParameterizedTest
    @CsvSource({
        "'[0-9]+', '#', '[a-z]+@[a-z]+', 'X', 1",
        "'[0-9]+', '#', '\\s+', '_', 1",
        "'\\b[0-9]+\\b', '#', '[a-z]+@', 'X', 1",
        // It looks at nothing but the beginning, which stays where it is.
        "'[0-9]+', '#', '^[a-z]+', 'X', 1",
        // They share characters, but neither can begin within the other.
        "'\\bkey-[0-9a-f]{4}\\b', '[KEY]', '\\btok_[0-9a-f]{4}\\b', '[TOK]', 1",
        "'<[a-z]+>', '[A]', '\\([a-z]+\\)', '[B]', 1",
        // Where both match the first one comes first.
        "'ab', '-', 'a[a-z]c', '=', 1",
        // The second may begin before the first.
        "'[0-9]+', '#', '[a-z0-9]+@', 'X', 2",
        "'b', '-', 'ab', '=', 2",
        // The label of the first is a match of the second, or a part of one.
        "'[0-9]+', 'n', '[a-z]+@', 'X', 2",
        "'[0-9]+', '(n)', '\\(.*', 'X', 2",
        // It looks at what the first one changes.
        "'[0-9]+', '#', '\\b[a-z]+', 'X', 2",
        "'[0-9]+', '#', '[a-z]+$', 'X', 2",
        "'a', 'x', 'b(?=a)', 'y', 2",
        "'a', 'x', '(?<!a)b', 'y', 2",
        "'[0-9]+', '#', '.', 'X', 2",
    })
    void oneRuleSetOrTwo(String first, String label, String second, String other, int sets) {
        assertThat(
                        sets(
                                "REGEXP_REPLACE(REGEXP_REPLACE(s, '%s', '%s'), '%s', '%s')"
                                        .formatted(first, label, second, other)))
                .hasSize(sets);
    }

    @Test
    void aRuleGoesToTheFirstSetWhoseLaterOnesItLeavesAlone() {
        assertThat(
                        sets(
                                "REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(s, 'b', '-'), 'ab', '='), '[0-9]', '#')"))
                .containsExactly(2, 1);
        assertThat(
                        sets(
                                "REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(s, 'b', '-'), 'ab', '='), '=', '#')"))
                .containsExactly(1, 1, 1);
    }

    /** How many rules the sets have that replace. */
    private List<Integer> sets(String expression) {
        GpuCalc calc = (GpuCalc) plans.node("SELECT " + expression + " FROM r");
        return calc.plan().program().steps().stream()
                .filter(RedactStep.class::isInstance)
                .map(step -> ((RedactStep) step).rules().ruleSet())
                .filter(
                        rules ->
                                rules.rule(0).action() instanceof Action.Label label
                                        && label.text().charAt(0) > 1)
                .map(RuleSet::size)
                .toList();
    }

    /** Random rules over few characters, so that they meet often, and all texts of them that are short. */
    @Test
    void nestedCallsGiveWhatFlinksDo() {
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        int merged = 0;
        for (int i = 0; i < CHAINS; i++) {
            List<String> regexes = new ArrayList<>();
            List<String> labels = new ArrayList<>();
            String expression = "s";
            for (int rule = 2 + random.nextInt(3); rule > 0; rule--) {
                regexes.add(regex(random, 2));
                labels.add(any(random, "x", "a", "-", "(b)", "1", "[X]", "xx"));
                expression =
                        "REGEXP_REPLACE(%s, '%s', '%s')"
                                .formatted(
                                        expression,
                                        regexes.get(regexes.size() - 1),
                                        labels.get(labels.size() - 1));
            }
            List<RuleSet> sets;
            try {
                sets = RegexReplacement.sets(regexes, labels);
            } catch (UnsupportedException e) {
                continue;
            }
            merged += regexes.size() - sets.size();
            for (int text = 0; text < TEXTS; text++) {
                String s = text(random);
                String expected = s;
                for (int rule = 0; rule < regexes.size(); rule++) {
                    expected =
                            SqlFunctionUtils.regexpReplace(
                                    expected, regexes.get(rule), labels.get(rule));
                }
                String actual = s;
                for (RuleSet set : sets) {
                    actual = alternation(set, actual);
                }
                assertThat(actual)
                        .as("%s of '%s', seed=%d", expression, s, seed)
                        .isEqualTo(expected);
            }
        }
        assertThat(merged)
                .as("rules that were tried together, seed=%d", seed)
                .isGreaterThan(CHAINS / 10);
    }

    /** What one scan by a rule set gives, as docs/rules.md defines it: the alternation of its rules. */
    private static String alternation(RuleSet set, String text) {
        StringBuilder result = new StringBuilder();
        List<Matcher> matchers =
                set.rules().stream()
                        .map(
                                rule ->
                                        Pattern.compile(rule.regex())
                                                .matcher(text)
                                                .useTransparentBounds(true)
                                                .useAnchoringBounds(false))
                        .toList();
        int at = 0;
        while (at < text.length()) {
            int end = -1;
            for (int rule = 0; rule < matchers.size() && end < 0; rule++) {
                Matcher matcher = matchers.get(rule).region(at, text.length());
                if (matcher.lookingAt()) {
                    result.append(((Action.Label) set.rule(rule).action()).text());
                    end = matcher.end();
                }
            }
            if (end < 0) {
                result.append(text.charAt(at));
                end = at + 1;
            }
            at = end;
        }
        return result.toString();
    }

    private static String regex(Random random, int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return any(
                    random, "a", "b", "1", "x", "-", "[ab]", "[a1]", "[^a]", "[x-]", "\\(", "\\d",
                    "\\w");
        }
        String one = regex(random, depth - 1);
        String other = regex(random, depth - 1);
        return switch (random.nextInt(9)) {
            case 0 -> "(?:" + one + "|" + other + ")";
            case 1 ->
                    one.length() == 1 || one.startsWith("[") && one.indexOf(']') == one.length() - 1
                            ? one + any(random, "+", "{2}", "{1,2}", "+?")
                            : one + other;
            case 2 -> "\\b" + one + other;
            case 3 -> one + other + "\\b";
            case 4 -> any(random, "^", "\\A", "(?<=a)", "(?<![a1])", "\\B") + one;
            case 5 -> one + any(random, "$", "\\z", "(?=a)", "(?![a1])", "\\B");
            default -> one + other;
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(10); i > 0; i--) {
            text.append(any(random, "a", "b", "1", "x", "-", "a", "b", "(", ")", "\n"));
        }
        return text.toString();
    }

    private static String any(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }
}
