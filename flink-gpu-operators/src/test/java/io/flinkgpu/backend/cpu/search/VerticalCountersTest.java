package io.flinkgpu.backend.cpu.search;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class VerticalCountersTest {

    private static final int MAX_WORDS = 20;
    private static final int MOST = 255;

    @Test
    void countSlotsAndBitmaps() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        VerticalCounters counters = new VerticalCounters(MAX_WORDS);
        for (int run = 0; run < 300; run++) {
            int words = 1 + random.nextInt(MAX_WORDS);
            int[] expected = new int[words * Long.SIZE];
            counters.start(words);
            for (int i = random.nextInt(4); i > 0; i--) {
                char[] slots = slots(random, expected);
                counters.add(slots, 1, slots.length);
            }
            for (int i = random.nextInt(random.nextBoolean() ? 10 : 1_025); i > 0; i--) {
                counters.add(bitmap(random, expected, words));
            }
            counters.finish();
            check("seed=" + seed + ", run=" + run, counters, expected, random);
        }
    }

    /** Slots in order, from the second place on. */
    private static char[] slots(Random random, int[] expected) {
        int[] some = random.ints(0, expected.length).limit(40).sorted().distinct().toArray();
        char[] slots = new char[some.length + 1];
        for (int i = 0; i < some.length; i++) {
            slots[i + 1] = (char) some[i];
            expected[some[i]]++;
        }
        return slots;
    }

    /** Bits of any counters that do not have the most yet. */
    private static long[] bitmap(Random random, int[] expected, int words) {
        long[] bitmap = new long[words];
        for (int slot = 0; slot < expected.length; slot++) {
            if (expected[slot] < MOST && (slot % 3 == 0 || random.nextInt(8) == 0)) {
                expected[slot]++;
                bitmap[slot >>> 6] |= 1L << slot;
            }
        }
        return bitmap;
    }

    private static void check(
            String where, VerticalCounters counters, int[] expected, Random random) {
        for (int slot = 0; slot < expected.length; slot++) {
            assertThat(counters.get(slot)).as(where).isEqualTo(expected[slot]);
            assertThat(expected[slot]).as(where).isLessThanOrEqualTo(counters.max());
        }
        int words = expected.length / Long.SIZE;
        for (int i = 0; i < 20; i++) {
            int least = expected[random.nextInt(expected.length)] + random.nextInt(2);
            if (least > counters.max()) {
                continue;
            }
            int first = words;
            for (int word = words - 1; word >= 0; word--) {
                long enough = 0;
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    enough |= expected[word * Long.SIZE + bit] >= least ? 1L << bit : 0;
                }
                assertThat(counters.atLeast(word, least)).as(where).isEqualTo(enough);
                first = enough != 0 ? word : first;
            }
            assertThat(counters.find(0, words, least)).as(where).isEqualTo(first);
        }
    }
}
