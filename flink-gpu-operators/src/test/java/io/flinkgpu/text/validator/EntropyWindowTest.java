package io.flinkgpu.text.validator;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: EntropyWindow.
 */
class EntropyWindowTest {

    private static final int ROUNDS = 300;

    /** Starts never go back; ends go either way, and texts may lie apart. */
    @Test
    void isTheEntropyOfEachTextAloneWhateverWasAskedBefore() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        EntropyWindow window = new EntropyWindow();
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] row = randomRow(random);
            int minMilliBits = 1 + random.nextInt(6000);
            int farthest = 1 + random.nextInt(400);
            int step = 1 + random.nextInt(random.nextBoolean() ? 3 : 600);
            for (int start = random.nextInt(20);
                    start < row.length;
                    start += random.nextInt(step + 1)) {
                int length = 1 + random.nextInt(Math.min(farthest, row.length - start));
                boolean expected =
                        Entropy.accepts(row, start, start + length, minMilliBits, new short[256]);
                assertThat(window.accepts(row, start, length, start, minMilliBits))
                        .as("seed=%d round=%d start=%d length=%d", seed, round, start, length)
                        .isEqualTo(expected);
                accepted += expected ? 1 : 0;
                refused += expected ? 0 : 1;
                if (step == 1 && random.nextInt(4) == 0) {
                    start++;
                }
            }
            window.clear();
        }
        assertThat(accepted).isPositive();
        assertThat(refused).isPositive();
    }

    private static byte[] randomRow(Random random) {
        byte[] row = new byte[1 + random.nextInt(1500)];
        int alphabet = 1 + random.nextInt(256);
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) random.nextInt(alphabet);
        }
        return row;
    }
}
