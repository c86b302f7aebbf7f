package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Documents;

import java.util.Arrays;
import java.util.List;

/**
 * Searches wide documents that have no index for up to 64 queries at once: a hash table has for each element the
 * queries that have it, a bit each, and bits of the same weight are counted together.
 */
final class WideScan {

    static final int MAX_QUERIES = Long.SIZE;

    /** Bits of what a document can have in common with a query: up to 1,024 elements. */
    private static final int PLANES = 11;

    /** The filter is in the nearest cache then. */
    private static final int FILTER_BITS = 18;

    private static final int SPREAD = 0x9E3779B9;

    private final List<RunningQuery> queries;
    private final int[] elements;

    /** Which queries have the element; none in a free slot. */
    private final long[] masks;

    /** A bit for each value of the upper bits of a hash: whether an element in the table has it. */
    private final long[] filter = new long[1 << FILTER_BITS - 6];

    private final int shift;
    private final long[] planes = new long[PLANES];

    WideScan(List<RunningQuery> queries) {
        this.queries = queries;
        int all = queries.stream().mapToInt(query -> query.elements().length).sum();
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(4 * all + 1);
        shift = Integer.SIZE - bits;
        elements = new int[1 << bits];
        masks = new long[1 << bits];
        for (int query = 0; query < queries.size(); query++) {
            for (int element : queries.get(query).elements()) {
                int index = index(element);
                int hash = element * SPREAD;
                filter[filterWord(hash)] |= filterBit(hash);
                elements[index] = element;
                masks[index] |= 1L << query;
            }
        }
    }

    void search(Slots slots) {
        Documents tile = slots.tile();
        int[] starts = tile.starts();
        int[] ofTile = tile.elements();
        for (int slot = slots.from(); slot < slots.to(); slot++) {
            long any = 0;
            int end = starts[slot + 1];
            for (int i = starts[slot]; i < end; i++) {
                int hash = ofTile[i] * SPREAD;
                if ((filter[filterWord(hash)] & filterBit(hash)) != 0) {
                    long mask = masks[index(ofTile[i])];
                    any |= mask;
                    add(mask);
                }
            }
            if (any != 0) {
                offer(tile, slot, any);
            }
        }
        queries.forEach(RunningQuery::raise);
    }

    private static int filterWord(int hash) {
        return hash >>> Integer.SIZE - FILTER_BITS + 6;
    }

    private static long filterBit(int hash) {
        return 1L << (hash >>> Integer.SIZE - FILTER_BITS);
    }

    private void add(long mask) {
        long carry = mask;
        for (int i = 0; carry != 0; i++) {
            long plane = planes[i];
            planes[i] = plane ^ carry;
            carry &= plane;
        }
    }

    private void offer(Documents tile, int slot, long any) {
        int size = tile.size(slot);
        for (long left = any; left != 0; left &= left - 1) {
            int number = Long.numberOfTrailingZeros(left);
            int common = 0;
            for (int i = 0; i < PLANES; i++) {
                common |= (int) (planes[i] >>> number & 1) << i;
            }
            RunningQuery query = queries.get(number);
            if (common >= query.need()[size]) {
                query.offer(tile, slot, size, common);
            }
        }
        Arrays.fill(planes, 0);
    }

    /** Where an element is, or the free slot where it would be. */
    private int index(int element) {
        int index = element * SPREAD >>> shift;
        while (masks[index] != 0 && elements[index] != element) {
            index = index + 1 & masks.length - 1;
        }
        return index;
    }
}
