package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

/**
 * Documents in the order of their sizes, the smallest first. Once it is searched nothing of it changes but when
 * documents {@link #died}.
 */
@Internal
public final class Tile extends Documents {

    /** The open tile whose slots {@link Places} have, or this one. */
    private final int placeNumber;

    /** By slot of the open tile: the slot here. Null where places have those of this one. */
    private final char[] slotsNow;

    /** The tile that documents are in by now, and by slot theirs there; null while they are here. */
    private Tile merged;

    private char[] slotsThere;

    Tile(int number, OpenTile open, boolean isNarrow, int documentRoom, int elementRoom) {
        super(number, isNarrow, documentRoom, elementRoom);
        placeNumber = open == null ? number : open.number();
        slotsNow = open == null ? null : new char[open.documents];
    }

    /**
     * Says where the documents of each size go, none of which is there yet.
     *
     * @param ofSizes how many there are of each size, one place later than the size; then the first slot of each size
     */
    void start(int[] ofSizes) {
        int slot = 0;
        int start = 0;
        smallest = -1;
        for (int size = 0; size + 1 < ofSizes.length; size++) {
            int ofSize = ofSizes[size + 1];
            ofSizes[size + 1] = ofSizes[size] + ofSize;
            if (ofSize > 0) {
                smallest = smallest < 0 ? size : smallest;
                largest = size;
            }
            for (int i = 0; i < ofSize; i++) {
                start += size;
                starts[++slot] = start;
            }
        }
    }

    /** A document came here from a slot of the open tile. */
    void movedHere(int from, int to) {
        if (slotsNow != null) {
            slotsNow[from] = (char) to;
        }
    }

    /** How many documents it has once all are there. */
    public int wholeDocuments() {
        return ids.length;
    }

    /** Documents that still live are in another tile from now on. */
    void merged(Tile into) {
        merged = into;
        slotsThere = new char[documents];
    }

    /** Where a document is there. */
    void movedAway(int from, int to) {
        slotsThere[from] = (char) to;
    }

    /** A document that lives dies, here or where it is by now: its place by then. */
    @Override
    long dieNow(int slot, long change) {
        return merged == null
                ? super.dieNow(slot, change)
                : merged.dieNow(slotsThere[slot], change);
    }

    /** The number of the tile that places name for documents that are here. */
    int placeNumber() {
        return placeNumber;
    }

    @Override
    int slotNow(int slot) {
        return slotsNow == null ? slot : slotsNow[slot];
    }

    @Override
    public long bytes() {
        return super.bytes() + bytes(slotsNow) + bytes(slotsThere);
    }

    private static long bytes(char[] slots) {
        return slots == null ? 0 : (long) Character.BYTES * slots.length;
    }
}
