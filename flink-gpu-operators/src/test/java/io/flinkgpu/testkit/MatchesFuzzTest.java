package io.flinkgpu.testkit;

import io.flinkgpu.text.WholeMatcher;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole texts against {@code Matcher.matches()}. {@code -Dtransform.pairs} says how many pairs of a regex
 * and a text are compared, {@code -Dtransform.seed} where it starts.
 *
 * <p>Covers: Matches.
 */
class MatchesFuzzTest {

    private static final long PAIRS = Long.getLong("transform.pairs", 20_000) / 4;
    private static final long SEED = Long.getLong("transform.seed", 20_261_121);

    private long pairs;
    private long matches;
    private int regexes;
    private int refused;

    @Test
    void wholeTextsMatchAsInJava() {
        for (long seed = SEED; pairs < PAIRS; seed++) {
            Random random = new Random(seed);
            RuleGen gen = new RuleGen(random);
            List<RuleGen.Generated> rules = gen.rules();
            byte[][] texts = new TextGen(rules, gen.alphabet(), random).rows(40);
            for (RuleGen.Generated rule : rules) {
                for (String regex : variants(rule.tree())) {
                    compare("seed=" + seed, regex, samples(rule.tree(), texts, random));
                }
            }
        }
        assertThat((double) refused / regexes).as("refused").isLessThan(0.2);
        assertThat((double) matches / pairs).as("matches").isBetween(0.1, 0.9);
    }

    private void compare(String seed, String regex, List<byte[]> texts) {
        WholeMatcher matcher;
        regexes++;
        try {
            matcher = WholeMatcher.compile(regex);
        } catch (IllegalArgumentException e) {
            refused++;
            return;
        }
        for (byte[] text : texts) {
            try {
                boolean expected = ExpressionOracle.matches(SurrogateText.decode(text), regex);
                assertThat(PlainProgram.matches(matcher, text))
                        .as(
                                "%s, regex %s, text %s",
                                seed, Fuzz.javaLiteral(regex), Fuzz.javaBytes(text))
                        .isEqualTo(expected);
                pairs++;
                matches += expected ? 1 : 0;
            } catch (BudgetedText.OverBudgetException | StackOverflowError e) {
                // java.util.regex has no answer.
                continue;
            }
        }
    }

    /** As a rule has it, and such that the empty text may match. */
    private static List<String> variants(RegexNode tree) {
        String regex = tree.regex();
        return List.of(regex, "(?:" + regex + ")?", "(?s).*?(?:" + regex + ")", "|" + regex);
    }

    private static List<byte[]> samples(RegexNode tree, byte[][] texts, Random random) {
        List<byte[]> samples = new ArrayList<>(List.of(texts));
        samples.add(new byte[0]);
        for (int i = 0; i < 20; i++) {
            StringBuilder sample = new StringBuilder();
            tree.sample(sample, random);
            samples.add(SurrogateText.encode(sample.toString()));
        }
        return samples;
    }
}
