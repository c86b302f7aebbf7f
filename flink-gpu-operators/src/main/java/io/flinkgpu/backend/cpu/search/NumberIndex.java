package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Tile;

import java.util.Arrays;

/** The index of a narrow tile: an array by the numbers of elements says where their slots are. */
final class NumberIndex extends SlotIndex {

    /** An element that one of so many documents has gets a bitmap. */
    private static final int DOCUMENTS_PER_BIT = 64;

    private static final int FEWEST_BITS = 8;

    /** By the number of an element: where its slots start; the next number's is where they end. */
    private final int[] starts;

    /** The numbers of elements that have a bitmap, ascending. */
    private final int[] frequent;

    private NumberIndex(int[] starts, char[] slots, int[] frequent, long[][] bitmaps) {
        super(slots, bitmaps);
        this.starts = starts;
        this.frequent = frequent;
    }

    static NumberIndex of(Tile tile) {
        int[] counts = counts(tile);
        int[] frequent = frequent(tile, counts);
        for (int number : frequent) {
            counts[number] = 0;
        }
        int[] starts = new int[counts.length + 1];
        for (int number = 0; number < counts.length; number++) {
            starts[number + 1] = starts[number] + counts[number];
        }
        NumberIndex index =
                new NumberIndex(
                        starts,
                        new char[starts[counts.length]],
                        frequent,
                        new long[frequent.length][words(tile)]);
        index.fill(tile, counts);
        return index;
    }

    /** The memory that an index of a tile will take. */
    static long bytes(Tile tile) {
        int[] counts = counts(tile);
        long rare = tile.allElements();
        int[] frequent = frequent(tile, counts);
        for (int number : frequent) {
            rare -= counts[number];
        }
        return Integer.BYTES * (counts.length + frequent.length + 1L)
                + Character.BYTES * rare
                + (long) Long.BYTES * words(tile) * frequent.length;
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
    private void fill(Tile tile, int[] places) {
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

    @Override
    long find(int number) {
        if (number + 1 >= starts.length) {
            return NONE;
        }
        if (starts[number] < starts[number + 1]) {
            return range(starts[number], starts[number + 1]);
        }
        int found = Arrays.binarySearch(frequent, number);
        return found < 0 ? NONE : ~found;
    }

    @Override
    long bytes() {
        return super.bytes() + Integer.BYTES * (long) (starts.length + frequent.length);
    }
}
