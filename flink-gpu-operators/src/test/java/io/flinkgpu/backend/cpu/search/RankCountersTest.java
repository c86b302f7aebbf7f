package io.flinkgpu.backend.cpu.search;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RankCounters, VerticalCounters.
 */
class RankCountersTest {

    private static final int MAX_WORDS = 20;
    private static final int RUNS = 300;
    private static final int MOST = 1_024;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void bytesCountRanks() {
        countRanks(new ByteCounters(MAX_WORDS), ByteCounters.MOST);
    }

    @Test
    void shortsCountRanks() {
        countRanks(new ShortCounters(MAX_WORDS), MOST);
    }

    private void countRanks(RankCounters counters, int most) {
        for (int run = 0; run < RUNS; run++) {
            int words = 1 + random.nextInt(MAX_WORDS);
            int[] expected = new int[words * Long.SIZE];
            counters.start(words);
            addRanks(counters, expected, random.nextInt(run % 9 == 0 ? 2_000 : 20), most);
            check(run, counters, expected);
        }
    }

    @Test
    void planesCountRanksAndBitmaps() {
        VerticalCounters counters = new VerticalCounters(MAX_WORDS);
        for (int run = 0; run < RUNS; run++) {
            int words = 1 + random.nextInt(MAX_WORDS);
            int[] expected = new int[words * Long.SIZE];
            counters.start(words);
            addRanks(counters, expected, random.nextInt(4), MOST);
            long[][] bitmaps = new long[1_024][];
            int count = random.nextInt(random.nextBoolean() ? 10 : 1_025);
            for (int i = 0; i < count; i++) {
                bitmaps[i] = bitmap(expected, words);
            }
            counters.add(bitmaps, count);
            check(run, counters, expected);
        }
    }

    /** Adds lists of ranks in order, from their second place on. */
    private void addRanks(RankCounters counters, int[] expected, int lists, int most) {
        for (int i = 0; i < lists; i++) {
            int[] some =
                    random.ints(0, expected.length)
                            .limit(60)
                            .filter(rank -> expected[rank] < most)
                            .sorted()
                            .distinct()
                            .toArray();
            char[] ranks = new char[some.length + 1];
            for (int j = 0; j < some.length; j++) {
                ranks[j + 1] = (char) some[j];
                expected[some[j]]++;
            }
            counters.add(ranks, 1, ranks.length);
        }
    }

    /** Bits of any counters that do not have the most yet. */
    private long[] bitmap(int[] expected, int words) {
        long[] bitmap = new long[words];
        for (int rank = 0; rank < expected.length; rank++) {
            if (expected[rank] < MOST && (rank % 3 == 0 || random.nextInt(8) == 0)) {
                expected[rank]++;
                bitmap[rank >>> 6] |= 1L << rank;
            }
        }
        return bitmap;
    }

    private void check(int run, RankCounters counters, int[] expected) {
        String where = "seed=" + seed + ", run=" + run;
        for (int rank = 0; rank < expected.length; rank++) {
            assertThat(counters.get(rank)).as(where).isEqualTo(expected[rank]);
            assertThat(expected[rank]).as(where).isLessThanOrEqualTo(counters.max());
        }
        int words = expected.length / Long.SIZE;
        for (int i = 0; i < 20; i++) {
            int least = Math.max(1, expected[random.nextInt(expected.length)] + random.nextInt(2));
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
            int found = counters.find(0, words, least);
            assertThat(found).as(where).isLessThanOrEqualTo(first);
            if (first > 0) {
                assertThat(counters.find(first, words, least)).as(where).isEqualTo(first);
            }
            assertThat(counters.find(words, words, least)).as(where).isEqualTo(words);
        }
    }
}
