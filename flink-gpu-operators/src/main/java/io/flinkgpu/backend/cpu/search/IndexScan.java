package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Documents;

/**
 * Searches documents for one query along their indexes: counts what each document has in common with it, and
 * compares that with what documents of its size need.
 */
final class IndexScan {

    /** After so many documents that matter it is worth while to see what others need now. */
    private static final int RAISE_EVERY = 256;

    /** In a line of the cache. */
    private static final int RANKS_PER_LINE = 32;

    /** The core reads ahead by itself where more are read. */
    private static final int MOST_TOUCHED = 1_024;

    private static final int MOST_WORDS = 1 << Character.SIZE - 6;

    private final ByteCounters byteCounters = new ByteCounters(MOST_WORDS);
    private final ShortCounters shortCounters = new ShortCounters(MOST_WORDS);
    private final VerticalCounters verticalCounters = new VerticalCounters(MOST_WORDS);

    /** Of the ranks of elements of the query. */
    private long[] ranges = new long[0];

    /** Of the elements of the query that have one. */
    private long[][] bitmaps = new long[0][];

    /** Ranks that are to be offered. */
    private final char[] found = new char[RAISE_EVERY + Long.SIZE];

    /** Of no meaning; it keeps reads from being optimized away, which bring what follows to the cache. */
    private long touched;

    void search(RunningQuery query, IndexedSlots indexed) {
        SizeOrder order = indexed.order();
        boolean isNarrow = order.slots().tile().isNarrow();
        RankCounters counters = counted(isNarrow ? query.numbers() : query.elements(), indexed);
        for (int size = order.smallest(); size <= order.largest(); size++) {
            int from = order.firstRank(size);
            int to = order.firstRank(size + 1);
            if (from < to) {
                find(query, counters, order, size, from, to);
            }
        }
        query.raise();
    }

    /** Offers the documents of a size that matter. */
    private void find(
            RunningQuery query,
            RankCounters counters,
            SizeOrder order,
            int size,
            int from,
            int to) {
        int endWord = to + Long.SIZE - 1 >>> 6;
        int word = from >>> 6;
        int count = 0;
        int need = query.need()[size];
        while (need <= counters.max()) {
            word = counters.find(word, endWord, need);
            if (word == endWord) {
                break;
            }
            long bits = counters.atLeast(word, need) & bits(from, to, word);
            for (; bits != 0; bits &= bits - 1) {
                found[count++] = (char) ((word << 6) + Long.numberOfTrailingZeros(bits));
            }
            if (count > RAISE_EVERY) {
                offer(query, counters, order, size, count);
                query.raise();
                count = 0;
                need = query.need()[size];
            }
            word++;
        }
        offer(query, counters, order, size, count);
    }

    /** Offers what was found. */
    private void offer(
            RunningQuery query, RankCounters counters, SizeOrder order, int size, int count) {
        Documents tile = order.slots().tile();
        long[] ids = tile.ids();
        for (int i = 0; i < count; i++) {
            touched += ids[order.slot(found[i])];
        }
        for (int i = 0; i < count; i++) {
            int rank = found[i];
            query.offer(tile, order.slot(rank), size, counters.get(rank));
        }
    }

    private RankCounters counted(int[] elements, IndexedSlots indexed) {
        RankIndex index = indexed.index();
        if (ranges.length < elements.length) {
            ranges = new long[elements.length];
            bitmaps = new long[elements.length][];
        }
        int rare = 0;
        int frequent = 0;
        for (int element : elements) {
            long place = index.find(element);
            if (place < 0) {
                bitmaps[frequent++] = index.bitmaps[(int) ~place];
            } else if (place != RankIndex.NONE) {
                ranges[rare++] = place;
            }
        }
        touch(index.ranks, rare);
        RankCounters counters = counters(indexed.order().largest(), rare, frequent);
        counters.start(indexed.words());
        for (int i = 0; i < rare; i++) {
            counters.add(index.ranks, (int) (ranges[i] >>> Integer.SIZE), (int) ranges[i]);
        }
        if (frequent > 0) {
            verticalCounters.add(bitmaps, frequent);
        }
        return counters;
    }

    private RankCounters counters(int largest, int rare, int frequent) {
        if (frequent > 0) {
            return verticalCounters;
        }
        return Math.min(rare, largest) <= ByteCounters.MOST ? byteCounters : shortCounters;
    }

    /**
     * Reads the ranks that will be counted, so that they are in the cache by then: many reads are on their way
     * at once, as nothing waits for what was read.
     */
    private void touch(char[] ranks, int rare) {
        long sum = 0;
        for (int range = 0; range < rare; range++) {
            int start = (int) (ranges[range] >>> Integer.SIZE);
            int end = Math.min((int) ranges[range], start + MOST_TOUCHED);
            for (int i = start; i < end; i += RANKS_PER_LINE) {
                sum += ranks[i];
            }
        }
        touched = sum;
    }

    /** Those of a word that stand for ranks of a range which begins in it or before, and ends in it or later. */
    private static long bits(int from, int to, int word) {
        int first = word << 6;
        long bits = from > first ? -1L << from : -1L;
        return to < first + Long.SIZE ? bits & (1L << to) - 1 : bits;
    }
}
