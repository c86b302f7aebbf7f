package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Documents;

import java.util.Arrays;

/** The index of narrow documents: an array by the numbers of elements says where their ranks are. */
final class NumberIndex extends RankIndex {

    /** An element that one of so many documents has gets a bitmap. */
    private static final int DOCUMENTS_PER_BIT = 64;

    private static final int FEWEST_BITS = 8;

    /** By the number of an element: where its ranks start; the next number's is where they end. */
    private final int[] starts;

    /** The numbers of elements that have a bitmap, ascending. */
    private final int[] frequent;

    private NumberIndex(int[] starts, char[] ranks, int[] frequent, long[][] bitmaps) {
        super(ranks, bitmaps);
        this.starts = starts;
        this.frequent = frequent;
    }

    static NumberIndex of(SizeOrder order) {
        Slots slots = order.slots();
        int[] counts = counts(slots);
        int[] frequent = frequent(slots, counts);
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
                        new long[frequent.length][words(slots)]);
        index.fill(order, counts);
        return index;
    }

    /** The memory that an index of some slots will take. */
    static long bytes(Slots slots) {
        int[] counts = counts(slots);
        long rare = slots.allElements();
        int[] frequent = frequent(slots, counts);
        for (int number : frequent) {
            rare -= counts[number];
        }
        return Integer.BYTES * (counts.length + frequent.length + 1L)
                + Character.BYTES * rare
                + (long) Long.BYTES * words(slots) * frequent.length;
    }

    private static int[] counts(Slots slots) {
        short[] numbers = slots.tile().numbers();
        int end = slots.endElement();
        int last = -1;
        for (int i = slots.firstElement(); i < end; i++) {
            last = Math.max(last, Short.toUnsignedInt(numbers[i]));
        }
        int[] counts = new int[last + 1];
        for (int i = slots.firstElement(); i < end; i++) {
            counts[Short.toUnsignedInt(numbers[i])]++;
        }
        return counts;
    }

    private static int[] frequent(Slots slots, int[] counts) {
        int[] frequent = new int[counts.length];
        int found = 0;
        for (int number = 0; number < counts.length; number++) {
            if (counts[number] >= FEWEST_BITS
                    && (long) counts[number] * DOCUMENTS_PER_BIT >= slots.count()) {
                frequent[found++] = number;
            }
        }
        return Arrays.copyOf(frequent, found);
    }

    /**
     * Fills ranks and bitmaps.
     *
     * @param places of no use afterwards
     */
    private void fill(SizeOrder order, int[] places) {
        Documents tile = order.slots().tile();
        for (int number = 0; number < places.length; number++) {
            places[number] = starts[number];
        }
        for (int i = 0; i < frequent.length; i++) {
            places[frequent[i]] = ~i;
        }
        short[] numbers = tile.numbers();
        int[] ofTile = tile.starts();
        for (int rank = 0; rank < order.slots().count(); rank++) {
            int slot = order.slot(rank);
            for (int i = ofTile[slot]; i < ofTile[slot + 1]; i++) {
                int number = Short.toUnsignedInt(numbers[i]);
                int place = places[number];
                if (place >= 0) {
                    ranks[place] = (char) rank;
                    places[number] = place + 1;
                } else {
                    bitmaps[~place][rank >>> 6] |= 1L << rank;
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
