package io.flinkgpu.text.validator;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Entropy.
 */
class EntropyTest {

    private static final long SEED = 20260101L;

    @Test
    void entropyTableIsTheRoundedLogarithm() {
        int[] table = Entropy.table();
        assertThat(table).hasSize(257);
        long checksum = 0;
        for (int k = 2; k < table.length; k++) {
            double exact = k * (Math.log(k) / Math.log(2)) * 32768;
            assertThat((double) table[k]).isBetween(exact - 0.5001, exact + 0.5001);
            // No entry is near a tie, so another logarithm gives the same table.
            assertThat(Math.abs(exact - Math.floor(exact) - 0.5)).isGreaterThan(5e-5);
            checksum += table[k];
        }
        assertThat(table[1]).isZero();
        assertThat(table[256]).isEqualTo(256 * 8 * 32768);
        assertThat(checksum).isEqualTo(7_848_981_623L);
    }

    @Test
    void entropyAgreesWithTheFormula() {
        Random random = new Random(SEED);
        for (int n = 0; n < 3_000; n++) {
            int alphabet = 1 + random.nextInt(64);
            byte[] bytes = new byte[1 + random.nextInt(256)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (200 + random.nextInt(alphabet));
            }
            double milliBits = 1000 * shannon(bytes, bytes.length);
            assertThat(entropy(bytes, (int) Math.floor(milliBits - 0.1))).isTrue();
            assertThat(entropy(bytes, (int) Math.ceil(milliBits + 0.1))).isFalse();
        }
    }

    @Test
    void entropyLooksAtTheFirst256Bytes() {
        byte[] bytes = new byte[100_000];
        for (int i = 256; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        assertThat(entropy(bytes, 1)).isFalse();
        for (int i = 0; i < 256; i++) {
            bytes[i] = (byte) i;
        }
        assertThat(entropy(bytes, 8000)).isTrue();
        assertThat(entropy(new byte[0], 1)).isFalse();
    }

    /** Eight letters five times each have exactly 3 bits, which the rounded table just misses. */
    @Test
    void entropyOfExactlyTheThresholdIsEnough() {
        byte[] bytes =
                "abcdefghaabbccddeeffgghhaabbccddeeffgghh".getBytes(StandardCharsets.US_ASCII);
        assertThat(entropy(bytes, 3000)).isTrue();
        assertThat(entropy(bytes, 3001)).isFalse();
    }

    private static boolean entropy(byte[] bytes, int minMilliBits) {
        return Entropy.accepts(bytes, 0, bytes.length, minMilliBits, new short[256]);
    }

    private static double shannon(byte[] bytes, int length) {
        int[] counts = new int[256];
        for (int i = 0; i < length; i++) {
            counts[bytes[i] & 0xff]++;
        }
        double bits = 0;
        for (int count : counts) {
            double p = (double) count / length;
            bits -= count == 0 ? 0 : p * Math.log(p) / Math.log(2);
        }
        return bits;
    }
}
