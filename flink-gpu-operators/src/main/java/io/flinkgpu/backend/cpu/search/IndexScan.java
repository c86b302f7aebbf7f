package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Tile;

/**
 * Searches narrow tiles for one query along their indexes: counts what each document has in common with it, and
 * compares that with what documents of its size need.
 */
final class IndexScan {

    /** After so many documents that matter it is worth while to see what others need now. */
    private static final int RAISE_EVERY = 256;

    /** In a line of the cache. */
    private static final int SLOTS_PER_LINE = 32;

    /** The core reads ahead by itself where more are read. */
    private static final int MOST_TOUCHED = 1_024;

    private final VerticalCounters counters = new VerticalCounters(1 << Character.SIZE - 6);

    /** Of the elements of the query that have one. */
    private long[][] bitmaps = new long[0][];

    /** Of no meaning; it keeps reads from being optimized away. */
    private int touched;

    void search(RunningQuery query, IndexedTile indexed) {
        count(query.numbers(), indexed);
        Tile tile = indexed.tile();
        for (int size = tile.smallest(); size <= tile.largest(); size++) {
            int from = indexed.firstSlot(size);
            int to = indexed.firstSlot(size + 1);
            if (from < to) {
                find(query, tile, size, from, to);
            }
        }
        query.raise();
    }

    /** Offers the documents of a size that matter. */
    private void find(RunningQuery query, Tile tile, int size, int from, int to) {
        int endWord = to + Long.SIZE - 1 >>> 6;
        int word = from >>> 6;
        int offers = 0;
        while (query.need()[size] <= counters.max()) {
            int need = query.need()[size];
            word = counters.find(word, endWord, need);
            if (word == endWord) {
                return;
            }
            long found = counters.atLeast(word, need) & bits(from, to, word);
            for (; found != 0; found &= found - 1) {
                int slot = (word << 6) + Long.numberOfTrailingZeros(found);
                query.offer(tile, slot, counters.get(slot));
                offers++;
            }
            if (offers >= RAISE_EVERY) {
                query.raise();
                offers = 0;
            }
            word++;
        }
    }

    private void count(int[] numbers, IndexedTile indexed) {
        if (bitmaps.length < numbers.length) {
            bitmaps = new long[numbers.length][];
        }
        counters.start(indexed.words());
        touch(numbers, indexed);
        int count = 0;
        for (int number : numbers) {
            int start = indexed.start(number);
            int end = indexed.end(number);
            if (start < end) {
                counters.add(indexed.slots(), start, end);
            } else {
                long[] bitmap = indexed.bitmap(number);
                if (bitmap != null) {
                    bitmaps[count++] = bitmap;
                }
            }
        }
        for (int i = 0; i < count; i++) {
            counters.add(bitmaps[i]);
        }
        counters.finish();
    }

    /**
     * Reads the slots that will be counted, so that they are in the cache by then: many reads are on their way
     * at once, as nothing waits for what was read.
     */
    private void touch(int[] numbers, IndexedTile indexed) {
        char[] slots = indexed.slots();
        int sum = 0;
        for (int number : numbers) {
            int end = Math.min(indexed.end(number), indexed.start(number) + MOST_TOUCHED);
            for (int i = indexed.start(number); i < end; i += SLOTS_PER_LINE) {
                sum += slots[i];
            }
        }
        touched = sum;
    }

    /** Those of a word that stand for slots of a range which begins in it or before, and ends in it or later. */
    private static long bits(int from, int to, int word) {
        int first = word << 6;
        long bits = from > first ? -1L << from : -1L;
        return to < first + Long.SIZE ? bits & (1L << to) - 1 : bits;
    }
}
