package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Replacer, Action.
 */
class ReplacerTest {

    private static final long SEED = 20260101L;
    private static final byte[] NO_KEY = new byte[0];

    @Test
    void labelsAndDropsAreFixedAndLiteral() {
        Replacer replacer =
                new Replacer(
                        RuleSet.of(
                                Rule.of("label", "x", Action.label("[\u00e9 $1 \\0]")),
                                Rule.of("drop", "x", Action.drop()),
                                Rule.of("mask", "x", Action.maskKeepLast(4))),
                        NO_KEY);
        assertThat(replacer.fixed(0)).asString(StandardCharsets.UTF_8).isEqualTo("[\u00e9 $1 \\0]");
        assertThat(replacer.fixed(1)).isEmpty();
        assertThat(replacer.fixed(2)).isNull();
        assertThat(replace(replacer, 0, "secret")).isEqualTo("[\u00e9 $1 \\0]");
        assertThat(replace(replacer, 1, "secret")).isEmpty();
    }

    @Test
    void countersAreOfARuleAndStartWithARecord() {
        Replacer replacer =
                new Replacer(
                        RuleSet.of(
                                Rule.of("a", "x", Action.counter("[\u00e9", "]")),
                                Rule.of("b", "x", Action.counter("", ""))),
                        NO_KEY);
        assertThat(replacer.fixed(0)).isNull();
        for (int record = 0; record < 2; record++) {
            replacer.startRecord();
            for (int i = 1; i <= 12; i++) {
                assertThat(replace(replacer, 0, "secret")).isEqualTo("[\u00e9" + i + "]");
            }
            assertThat(replace(replacer, 1, "secret")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, *, 4111111111111111, ************1111",
        "0, 4, *, 12345, *2345",
        "0, 4, *, 1234, ****",
        "0, 4, *, 1, *",
        "2, 2, #, abcdef, ab##ef",
        "2, 2, #, abcd, ####",
        "3, 0, x, abcdef, abcxxx",
        "0, 0, *, abc, ***",
        "1, 1, *, \u00e9\u20ac\uD83D\uDE00\u00fc, \u00e9**\u00fc",
        "0, 1, *, ab\uD83D\uDE00, **\uD83D\uDE00"
    })
    void masksCountCodePoints(int first, int last, char maskChar, String match, String expected) {
        Replacer replacer =
                new Replacer(
                        RuleSet.of(Rule.of("m", "x", new Action.Mask(first, last, maskChar))),
                        NO_KEY);
        assertThat(replace(replacer, 0, match)).isEqualTo(expected);
    }

    @Test
    void masksAgreeWithCodePointsOfStrings() {
        Random random = new Random(SEED);
        for (int n = 0; n < 2_000; n++) {
            int first = random.nextInt(5);
            int last = random.nextInt(5);
            String match =
                    random.ints(1 + random.nextInt(20), 0, 4)
                            .map(i -> new int[] {'a', 0xe9, 0x20ac, 0x1f600}[i])
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            int[] points = match.codePoints().toArray();
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < points.length; i++) {
                boolean kept =
                        points.length > first + last && (i < first || i >= points.length - last);
                expected.appendCodePoint(kept ? points[i] : '*');
            }
            Replacer replacer =
                    new Replacer(
                            RuleSet.of(Rule.of("m", "x", new Action.Mask(first, last, '*'))),
                            NO_KEY);
            assertThat(replace(replacer, 0, match))
                    .as("seed %d: keep %d, %d of %s", SEED, first, last, match)
                    .isEqualTo(expected.toString());
        }
    }

    /** RFC 4231, test cases 1 and 3. */
    @Test
    void hashesAreHmacSha256() {
        RuleSet rules = RuleSet.of(Rule.of("h", "x", Action.hash("", 64, "")));
        byte[] key1 = new byte[20];
        java.util.Arrays.fill(key1, (byte) 0x0b);
        assertThat(replace(new Replacer(rules, key1), 0, "Hi There"))
                .isEqualTo("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
        byte[] key3 = new byte[20];
        java.util.Arrays.fill(key3, (byte) 0xaa);
        byte[] data = new byte[50];
        java.util.Arrays.fill(data, (byte) 0xdd);
        Replacer replacer = new Replacer(rules, key3);
        int length = replacer.replace(0, data, 0, data.length);
        assertThat(new String(replacer.buffer(), 0, length, StandardCharsets.US_ASCII))
                .isEqualTo("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    }

    @Test
    void hashesAreCutFramedAndTheSameForTheSameText() throws Exception {
        byte[] key = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        Replacer replacer =
                new Replacer(
                        RuleSet.of(
                                Rule.of("a", "x", Action.hash("[\u00e9:k1:", 16, "]")),
                                Rule.of("b", "x", Action.hash("", 33, ""))),
                        key);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String hex =
                java.util.HexFormat.of()
                        .formatHex(mac.doFinal("a@b.cd".getBytes(StandardCharsets.UTF_8)));
        for (int n = 0; n < 3; n++) {
            assertThat(replace(replacer, 0, "a@b.cd"))
                    .isEqualTo("[\u00e9:k1:" + hex.substring(0, 16) + "]");
            assertThat(replace(replacer, 1, "a@b.cd")).isEqualTo(hex.substring(0, 33));
            assertThat(replace(replacer, 1, "a@b.ce")).isNotEqualTo(hex.substring(0, 33));
        }
    }

    @Test
    void aLongMatchGrowsTheBuffer() {
        Replacer replacer =
                new Replacer(RuleSet.of(Rule.of("m", "x", Action.maskKeepLast(1))), NO_KEY);
        String match = "x".repeat(100_000) + "y";
        assertThat(replace(replacer, 0, match)).isEqualTo("*".repeat(100_000) + "y");
        assertThat(replace(replacer, 0, "ab")).isEqualTo("*b");
    }

    @Test
    void aShortKeyIsRefusedAndNothingPrintsTheKey() {
        RuleSet rules = RuleSet.of(Rule.of("email", "x", Action.hash("", 32, "")));
        assertThatThrownBy(() -> new Replacer(rules, "topsecret".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "rules with a hash action need a key of at least 16 bytes: keyBytes=9,"
                                + " rules=RuleSet[email]; give a HashKey");
        String key = "0123456789abcdef";
        Replacer replacer = new Replacer(rules, key.getBytes(StandardCharsets.US_ASCII));
        assertThat(replacer.toString()).doesNotContain(key);
    }

    private static String replace(Replacer replacer, int rule, String match) {
        byte[] bytes = ("\u00e9" + match + "\u00e9").getBytes(StandardCharsets.UTF_8);
        int length = replacer.replace(rule, bytes, 2, bytes.length - 2);
        return new String(replacer.buffer(), 0, length, StandardCharsets.UTF_8);
    }
}
