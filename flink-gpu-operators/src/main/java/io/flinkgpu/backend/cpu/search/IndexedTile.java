package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Tile;

import java.util.Arrays;

/**
 * A narrow tile with an index of its elements: for those that few documents have, their slots; for others a
 * bitmap of all documents, which is smaller than so many slots, or is at least added up faster. It also knows
 * where the documents of each size are.
 */
final class IndexedTile {

    /** An element that one of so many documents has gets a bitmap. */
    private static final int DOCUMENTS_PER_BIT = 64;

    private static final int FEWEST_BITS = 8;

    private final Tile tile;

    /** By the number of an element: where its slots start; the next number's is where they end. */
    private final int[] starts;

    private final char[] slots;

    /** The numbers of elements that have a bitmap, ascending. */
    private final int[] frequent;

    private final long[][] bitmaps;

    /** By size: the first slot of a document that is at least as large. */
    private final int[] firstSlots;

    IndexedTile(Tile tile) {
        this.tile = tile;
        int[] counts = counts(tile);
        frequent = frequent(tile, counts);
        bitmaps = new long[frequent.length][words()];
        for (int number : frequent) {
            counts[number] = 0;
        }
        starts = new int[counts.length + 1];
        for (int number = 0; number < counts.length; number++) {
            starts[number + 1] = starts[number] + counts[number];
        }
        slots = new char[starts[counts.length]];
        fill(counts);
        firstSlots = firstSlots(tile);
    }

    /** The memory that an index of a tile will take. */
    static long bytes(Tile tile) {
        int[] counts = counts(tile);
        long rare = tile.allElements();
        int[] frequent = frequent(tile, counts);
        for (int number : frequent) {
            rare -= counts[number];
        }
        return bytes(tile, counts.length, rare, frequent.length);
    }

    private static long bytes(Tile tile, int numbers, long rare, int frequent) {
        return Integer.BYTES * (numbers + frequent + tile.largest() + 3L)
                + Character.BYTES * rare
                + (long) Long.BYTES * words(tile) * frequent;
    }

    private static int[] counts(Tile tile) {
        short[] numbers = tile.numbers();
        int last = -1;
        for (int i = 0; i < tile.allElements(); i++) {
            last = Math.max(last, Short.toUnsignedInt(numbers[i]));
        }
        int[] counts = new int[last + 1];
        for (int i = 0; i < tile.allElements(); i++) {
            counts[Short.toUnsignedInt(numbers[i])]++;
        }
        return counts;
    }

    private static int[] frequent(Tile tile, int[] counts) {
        int[] frequent = new int[counts.length];
        int found = 0;
        for (int number = 0; number < counts.length; number++) {
            if (counts[number] >= FEWEST_BITS
                    && (long) counts[number] * DOCUMENTS_PER_BIT >= tile.documents()) {
                frequent[found++] = number;
            }
        }
        return Arrays.copyOf(frequent, found);
    }

    /**
     * Fills slots and bitmaps.
     *
     * @param places of no use afterwards
     */
    private void fill(int[] places) {
        for (int number = 0; number < places.length; number++) {
            places[number] = starts[number];
        }
        for (int i = 0; i < frequent.length; i++) {
            places[frequent[i]] = ~i;
        }
        short[] numbers = tile.numbers();
        int end = 0;
        for (int slot = 0; slot < tile.documents(); slot++) {
            int start = end;
            end = tile.starts()[slot + 1];
            for (int i = start; i < end; i++) {
                int number = Short.toUnsignedInt(numbers[i]);
                int place = places[number];
                if (place >= 0) {
                    slots[place] = (char) slot;
                    places[number] = place + 1;
                } else {
                    bitmaps[~place][slot >>> 6] |= 1L << slot;
                }
            }
        }
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

    private static int words(Tile tile) {
        return (tile.documents() + Long.SIZE - 1) / Long.SIZE;
    }

    Tile tile() {
        return tile;
    }

    /** The words of a bitmap. */
    int words() {
        return words(tile);
    }

    /** Where the slots of an element start. */
    int start(int number) {
        return number < starts.length ? starts[number] : slots.length;
    }

    /** Where the slots of an element end: there are none if it has a bitmap, or is in no document. */
    int end(int number) {
        return number + 1 < starts.length ? starts[number + 1] : slots.length;
    }

    /** The slots of elements with no bitmap. */
    char[] slots() {
        return slots;
    }

    /** The documents that have an element, a bit for each slot; null if it has no bitmap. */
    long[] bitmap(int number) {
        if (start(number) < end(number)) {
            return null;
        }
        int found = Arrays.binarySearch(frequent, number);
        return found < 0 ? null : bitmaps[found];
    }

    /** Where the documents of a size start, which is at most one more than the largest. */
    int firstSlot(int size) {
        return firstSlots[size];
    }

    long bytes() {
        return bytes(tile, starts.length - 1, slots.length, frequent.length);
    }
}
