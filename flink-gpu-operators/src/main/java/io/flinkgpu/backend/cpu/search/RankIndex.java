package io.flinkgpu.backend.cpu.search;

/**
 * Which of some documents, by their ranks in a {@link SizeOrder}, have an element: for those elements that few
 * have, the ranks of these; for others a bitmap of all.
 */
abstract sealed class RankIndex permits NumberIndex, HashIndex {

    /** Of an element that no document has. */
    static final long NONE = 0;

    final char[] ranks;
    final long[][] bitmaps;

    RankIndex(char[] ranks, long[][] bitmaps) {
        this.ranks = ranks;
        this.bitmaps = bitmaps;
    }

    /**
     * Where an element is found: {@link #NONE}, a {@link #range} of the ranks, or if it is less than zero, the
     * complement of a place among the bitmaps.
     *
     * @param element of a narrow tile its number
     */
    abstract long find(int element);

    /** Ranks that are not empty: where they start in the upper half, and where they end. */
    static long range(int start, int end) {
        return (long) start << Integer.SIZE | end;
    }

    /** The words of a bitmap. */
    static int words(Slots slots) {
        return (slots.count() + Long.SIZE - 1) / Long.SIZE;
    }

    long bytes() {
        long words = bitmaps.length == 0 ? 0 : (long) bitmaps.length * bitmaps[0].length;
        return (long) Character.BYTES * ranks.length + Long.BYTES * words;
    }
}
