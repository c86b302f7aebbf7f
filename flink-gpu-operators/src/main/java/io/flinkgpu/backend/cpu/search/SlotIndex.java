package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Tile;

/**
 * Which documents of a tile have an element: for those elements that few have, the slots of these; for others a
 * bitmap of all documents.
 */
abstract sealed class SlotIndex permits NumberIndex, HashIndex {

    /** Of an element that no document has. */
    static final long NONE = 0;

    final char[] slots;
    final long[][] bitmaps;

    SlotIndex(char[] slots, long[][] bitmaps) {
        this.slots = slots;
        this.bitmaps = bitmaps;
    }

    /**
     * Where an element is found: {@link #NONE}, a {@link #range} of the slots, or if it is less than zero, the
     * complement of a place among the bitmaps.
     *
     * @param element of a narrow tile its number
     */
    abstract long find(int element);

    /** Slots that are not empty: where they start in the upper half, and where they end. */
    static long range(int start, int end) {
        return (long) start << Integer.SIZE | end;
    }

    /** The words of a bitmap. */
    static int words(Tile tile) {
        return (tile.documents() + Long.SIZE - 1) / Long.SIZE;
    }

    long bytes() {
        long words = bitmaps.length == 0 ? 0 : (long) bitmaps.length * bitmaps[0].length;
        return (long) Character.BYTES * slots.length + Long.BYTES * words;
    }
}
