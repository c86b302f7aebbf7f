package io.flinkgpu.backend.cpu.search;

/** A counter for each document that an index has, by its rank there. Words are of 64 ranks. */
abstract sealed class RankCounters permits ByteCounters, ShortCounters, VerticalCounters {

    /** Begins with zero for so many words of counters. */
    abstract void start(int words);

    /** Adds one to the counters of some ranks. */
    abstract void add(char[] ranks, int from, int to);

    /** All counters are at most this. */
    abstract int max();

    /**
     * Skips words without a counter that is at least something.
     *
     * @param word where to start
     * @param endWord where to end
     * @param least at least 1, at most {@link #max}
     * @return the first word that may have such counters, or the end
     */
    abstract int find(int word, int endWord, int least);

    /** Of the counters of a word, those that are at least this, a bit for each. */
    abstract long atLeast(int word, int least);

    abstract int get(int rank);
}
