package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.text.WholeMatcher;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts made to match, whole and damaged: {@link WholeMatcher} answers as {@code java.util.regex}.
 *
 * <p>Covers: WholeMatcher.
 */
class WholeMatchFuzzTest {

    private static final long SEED = Long.getLong("fuzz.seed", 20260501);
    private static final int REGEXES = Integer.getInteger("fuzz.regexes", 60);
    private static final int TEXTS = 20;

    @Test
    void answersAsTheJdkDoes() {
        int matched = 0;
        for (int i = 0; i < REGEXES; i++) {
            long seed = SEED + i;
            Random random = new Random(seed);
            for (RuleGen.Generated generated : new RuleGen(random).rules()) {
                String regex = generated.tree().regex();
                regex = random.nextInt(4) == 0 ? "(?:" + regex + ")?" : regex;
                Pattern pattern = OracleRedactor.compile(regex);
                WholeMatcher matcher = compiled(regex);
                for (int j = 0; j < TEXTS && matcher != null; j++) {
                    String text = text(generated.tree(), random);
                    boolean expected = pattern.matcher(text).matches();
                    assertThat(matches(matcher, text.getBytes(StandardCharsets.UTF_8)))
                            .as("seed=%d regex=%s text=%s", seed, regex, text)
                            .isEqualTo(expected);
                    matched += expected ? 1 : 0;
                }
            }
        }
        assertThat(matched).isGreaterThan(REGEXES * TEXTS / 10);
    }

    /** Null for one that is refused, as rules would be. */
    private static WholeMatcher compiled(String regex) {
        try {
            return WholeMatcher.compile(regex);
        } catch (RuleException e) {
            return null;
        }
    }

    private static String text(RegexNode tree, Random random) {
        StringBuilder text = new StringBuilder();
        tree.sample(text, random);
        if (random.nextInt(3) == 0 && !text.isEmpty()) {
            int at =
                    text.offsetByCodePoints(
                            0, random.nextInt(text.codePointCount(0, text.length())));
            text.delete(at, text.offsetByCodePoints(at, 1));
        }
        return text.append(random.nextInt(6) == 0 ? "\n" : "").toString();
    }

    private static boolean matches(WholeMatcher matcher, byte[] text) {
        int state = matcher.startState();
        for (byte value : text) {
            state = matcher.next(state, value & 0xff);
        }
        return matcher.accepts(state);
    }
}
