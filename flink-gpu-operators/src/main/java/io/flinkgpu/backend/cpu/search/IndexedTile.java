package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Tile;

/** A tile with an index of its elements; it also knows where the documents of each size are. */
final class IndexedTile {

    private final Tile tile;
    private final SlotIndex index;

    /** By size: the first slot of a document that is at least as large. */
    private final int[] firstSlots;

    IndexedTile(Tile tile) {
        this.tile = tile;
        index = tile.isNarrow() ? NumberIndex.of(tile) : HashIndex.of(tile);
        firstSlots = firstSlots(tile);
    }

    /** As much memory as the index of a tile may take. */
    static long mostBytes(Tile tile) {
        return (tile.isNarrow() ? NumberIndex.bytes(tile) : HashIndex.mostBytes(tile))
                + Integer.BYTES * (tile.largest() + 2L);
    }

    private static int[] firstSlots(Tile tile) {
        int[] firstSlots = new int[tile.largest() + 2];
        int size = 0;
        for (int slot = 0; slot < tile.documents(); slot++) {
            while (size <= tile.size(slot)) {
                firstSlots[size++] = slot;
            }
        }
        firstSlots[size] = tile.documents();
        return firstSlots;
    }

    Tile tile() {
        return tile;
    }

    SlotIndex index() {
        return index;
    }

    /** The words of a bitmap. */
    int words() {
        return SlotIndex.words(tile);
    }

    /** Where the documents of a size start, which is at most one more than the largest. */
    int firstSlot(int size) {
        return firstSlots[size];
    }

    long bytes() {
        return index.bytes() + (long) Integer.BYTES * firstSlots.length;
    }
}
