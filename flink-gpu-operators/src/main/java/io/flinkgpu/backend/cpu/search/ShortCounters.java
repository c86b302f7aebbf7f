package io.flinkgpu.backend.cpu.search;

import java.util.Arrays;

/** Two bytes each, for ranks alone, where documents are too large for {@link ByteCounters}. */
final class ShortCounters extends RankCounters {

    private final char[] counters;
    private int words;
    private int max;

    ShortCounters(int maxWords) {
        counters = new char[maxWords * Long.SIZE];
    }

    @Override
    void start(int ofWords) {
        Arrays.fill(counters, 0, words * Long.SIZE, (char) 0);
        words = ofWords;
        max = 0;
    }

    @Override
    void add(char[] ranks, int from, int to) {
        char[] of = counters;
        for (int i = from; i < to; i++) {
            of[ranks[i]]++;
        }
        max++;
    }

    @Override
    int max() {
        return max;
    }

    @Override
    int find(int word, int endWord, int least) {
        // Counters that are large enough have one of the bits from the highest one of the least on.
        int bits = -Integer.highestOneBit(least);
        for (int i = word; i < endWord; i++) {
            int any = 0;
            for (int rank = i * Long.SIZE; rank < (i + 1) * Long.SIZE; rank++) {
                any |= counters[rank];
            }
            if ((any & bits) != 0) {
                return i;
            }
        }
        return endWord;
    }

    @Override
    long atLeast(int word, int least) {
        long enough = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            enough |= counters[word * Long.SIZE + i] >= least ? 1L << i : 0;
        }
        return enough;
    }

    @Override
    int get(int rank) {
        return counters[rank];
    }
}
