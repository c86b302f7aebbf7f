package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.SetScores;

import java.util.List;

/**
 * Searches narrow documents for up to 64 queries at once, at a cost that does not depend on what their elements
 * are. For each number of an element a word says which queries have it, a bit each. The words of a document's
 * elements are added as vertical counters: eight words, the planes, hold the counts of all queries in binary,
 * and full adders take eight elements at a time. A table by size has what documents need, as planes too, so one
 * comparison finds the queries that a document matters to.
 *
 * <p>Of blocks of documents every 32nd is searched first, in all tiles: what its best documents have in common
 * with a query, the best of all have at least, so the rest of the documents needs that.
 */
final class BitSlicedScan {

    static final int MAX_QUERIES = Long.SIZE;

    private static final int PLANES = 8;
    private static final int BLOCK = 32;
    private static final int SAMPLED_BLOCKS = 32;

    /** After so many documents that matter it is worth while to see what others need now. */
    private static final int RAISE_EVERY = 4_096;

    private final List<RunningQuery> queries;

    /** By number; the caller's, all zero before and after. */
    private final long[] masks;

    /** By size: the queries that such a document may matter to. */
    private final long[] possible = new long[Documents.NARROW_ELEMENTS + 1];

    /** By size and plane: a bit of what such a document needs for each query. */
    private final long[] needed = new long[PLANES * (Documents.NARROW_ELEMENTS + 1)];

    private final int sizes;
    private final long[] planes = new long[PLANES];
    private int offers;

    /**
     * @param masks one for each number, all zero; {@link #close} makes it so again
     * @param largest the most elements that a narrow document has
     */
    BitSlicedScan(List<RunningQuery> queries, long[] masks, int largest) {
        this.queries = queries;
        this.masks = masks;
        sizes = largest + 1;
        for (int query = 0; query < queries.size(); query++) {
            for (int number : queries.get(query).numbers()) {
                masks[number] |= 1L << query;
            }
            need(query);
        }
    }

    void close() {
        for (RunningQuery query : queries) {
            for (int number : query.numbers()) {
                masks[number] = 0;
            }
        }
    }

    /** Searches the sample of some slots. */
    void searchSample(Slots slots) {
        for (int slot = slots.from(); slot < slots.to(); slot += BLOCK * SAMPLED_BLOCKS) {
            search(slots.tile(), slot, Math.min(slot + BLOCK, slots.to()));
        }
        raise();
    }

    /** Searches the documents of some slots that are not in the sample. */
    void searchRest(Slots slots) {
        int first = slots.from() + BLOCK;
        for (int slot = first; slot < slots.to(); slot += BLOCK * SAMPLED_BLOCKS) {
            int end = Math.min(slot + BLOCK * (SAMPLED_BLOCKS - 1), slots.to());
            search(slots.tile(), slot, end);
        }
        raise();
    }

    private void raise() {
        offers = 0;
        for (int query = 0; query < queries.size(); query++) {
            if (queries.get(query).raise()) {
                need(query);
            }
        }
    }

    /** Writes what documents need for a query. */
    private void need(int query) {
        int[] need = queries.get(query).need();
        long bit = 1L << query;
        for (int size = 0; size < sizes; size++) {
            int common = need[size];
            if (common == SetScores.NEVER || common > Documents.NARROW_ELEMENTS) {
                possible[size] &= ~bit;
                continue;
            }
            possible[size] |= bit;
            for (int plane = 0; plane < PLANES; plane++) {
                int at = PLANES * size + plane;
                needed[at] = needed[at] & ~bit | (common >>> plane & 1L) << query;
            }
        }
    }

    private void search(Documents tile, int from, int to) {
        short[] numbers = tile.numbers();
        int[] starts = tile.starts();
        int end = starts[from];
        for (int slot = from; slot < to; slot++) {
            int start = end;
            end = starts[slot + 1];
            if (possible[end - start] == 0) {
                continue;
            }
            long found = count(numbers, start, end);
            if (found != 0) {
                offer(tile, slot, found);
            }
        }
    }

    /** The queries that a document matters to; leaves what it has in common with them in the planes. */
    private long count(short[] numbers, int start, int end) {
        long[] of = masks;
        long p0 = 0;
        long p1 = 0;
        long p2 = 0;
        long p3 = 0;
        long p4 = 0;
        long p5 = 0;
        long p6 = 0;
        long p7 = 0;
        int i = start;
        for (; i + 8 <= end; i += 8) {
            long a = of[numbers[i] & 0xffff];
            long b = of[numbers[i + 1] & 0xffff];
            long u = p0 ^ a;
            long two1 = p0 & a | u & b;
            p0 = u ^ b;
            a = of[numbers[i + 2] & 0xffff];
            b = of[numbers[i + 3] & 0xffff];
            u = p0 ^ a;
            long two2 = p0 & a | u & b;
            p0 = u ^ b;
            u = p1 ^ two1;
            long four1 = p1 & two1 | u & two2;
            p1 = u ^ two2;
            a = of[numbers[i + 4] & 0xffff];
            b = of[numbers[i + 5] & 0xffff];
            u = p0 ^ a;
            two1 = p0 & a | u & b;
            p0 = u ^ b;
            a = of[numbers[i + 6] & 0xffff];
            b = of[numbers[i + 7] & 0xffff];
            u = p0 ^ a;
            two2 = p0 & a | u & b;
            p0 = u ^ b;
            u = p1 ^ two1;
            long four2 = p1 & two1 | u & two2;
            p1 = u ^ two2;
            u = p2 ^ four1;
            long carry = p2 & four1 | u & four2;
            p2 = u ^ four2;
            u = p3 & carry;
            p3 ^= carry;
            carry = p4 & u;
            p4 ^= u;
            u = p5 & carry;
            p5 ^= carry;
            carry = p6 & u;
            p6 ^= u;
            p7 ^= carry;
        }
        for (; i < end; i++) {
            long u = of[numbers[i] & 0xffff];
            long carry = p0 & u;
            p0 ^= u;
            u = p1 & carry;
            p1 ^= carry;
            carry = p2 & u;
            p2 ^= u;
            u = p3 & carry;
            p3 ^= carry;
            carry = p4 & u;
            p4 ^= u;
            u = p5 & carry;
            p5 ^= carry;
            carry = p6 & u;
            p6 ^= u;
            p7 ^= carry;
        }
        int size = end - start;
        long[] need = needed;
        int at = PLANES * size;
        long enough = p0 | ~need[at];
        enough = enough(p1, need[at + 1], enough);
        enough = enough(p2, need[at + 2], enough);
        enough = enough(p3, need[at + 3], enough);
        enough = enough(p4, need[at + 4], enough);
        enough = enough(p5, need[at + 5], enough);
        enough = enough(p6, need[at + 6], enough);
        enough = enough(p7, need[at + 7], enough) & possible[size];
        if (enough != 0) {
            planes[0] = p0;
            planes[1] = p1;
            planes[2] = p2;
            planes[3] = p3;
            planes[4] = p4;
            planes[5] = p5;
            planes[6] = p6;
            planes[7] = p7;
        }
        return enough;
    }

    /** Where a plane has more than is needed, or the same and those below it have enough. */
    private static long enough(long plane, long need, long below) {
        return plane & ~need | ~(plane ^ need) & below;
    }

    private void offer(Documents tile, int slot, long found) {
        int size = tile.size(slot);
        for (long left = found; left != 0; left &= left - 1) {
            int query = Long.numberOfTrailingZeros(left);
            int common = 0;
            for (int plane = 0; plane < PLANES; plane++) {
                common |= (int) (planes[plane] >>> query & 1) << plane;
            }
            queries.get(query).offer(tile, slot, size, common);
        }
        offers += Long.bitCount(found);
        if (offers > RAISE_EVERY) {
            raise();
        }
    }
}
