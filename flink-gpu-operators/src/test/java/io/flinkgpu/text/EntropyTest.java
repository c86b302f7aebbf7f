package io.flinkgpu.text;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class EntropyTest {

    private static final long SEED = 20260101L;

    @Test
    void entropyTableIsTheRoundedLogarithm() {
        int[] table = Entropy.table();
        assertThat(table).hasSize(4097);
        long checksum = 0;
        for (int k = 2; k < table.length; k++) {
            double exact = k * (Math.log(k) / Math.log(2)) * 32768;
            assertThat((double) table[k]).isBetween(exact - 0.5001, exact + 0.5001);
            // No entry is near a tie, so another logarithm gives the same table.
            assertThat(Math.abs(exact - Math.floor(exact) - 0.5)).isGreaterThan(5e-5);
            checksum += table[k];
        }
        assertThat(table[1]).isZero();
        assertThat(table[4096]).isEqualTo(4096 * 12 * 32768);
        assertThat(checksum).isEqualTo(3_101_057_737_627L);
    }

    @Test
    void entropyAgreesWithTheFormula() {
        Random random = new Random(SEED);
        for (int n = 0; n < 3_000; n++) {
            int alphabet = 1 + random.nextInt(64);
            byte[] bytes = new byte[1 + random.nextInt(300)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (200 + random.nextInt(alphabet));
            }
            double milliBits = 1000 * shannon(bytes, bytes.length);
            assertThat(entropy(bytes, (int) Math.floor(milliBits - 0.1))).isTrue();
            assertThat(entropy(bytes, (int) Math.ceil(milliBits + 0.1))).isFalse();
        }
    }

    @Test
    void entropyLooksAtTheFirst4096Bytes() {
        byte[] bytes = new byte[100_000];
        for (int i = 4096; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        assertThat(entropy(bytes, 1)).isFalse();
        for (int i = 0; i < 4096; i++) {
            bytes[i] = (byte) i;
        }
        assertThat(entropy(bytes, 8000)).isTrue();
        assertThat(entropy(new byte[0], 1)).isFalse();
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
