package io.flinkgpu.backend.cpu.search;

import java.util.Arrays;

/**
 * The best documents seen so far for one query, at most k of them: a heap with the worst one on top. Better is
 * a larger key, and of equal ones the smaller id. Its memory grows with what was found, not with k.
 */
final class TopMatches {

    private static final int FIRST_ROOM = 16;
    private static final int COMMON_BITS = 16;

    private final int k;
    private long[] ids;

    /** Of each document the key in the upper half, then what it has in common, then its size. */
    private long[] ranks;

    private int count;

    TopMatches(int k) {
        this.k = k;
        ids = new long[Math.min(k, FIRST_ROOM)];
        ranks = new long[ids.length];
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == k;
    }

    /** The least key that another document needs; with this one it needs a smaller id, too. */
    int minKey() {
        return isFull() ? key(ranks[0]) : 0;
    }

    /** Whether a document would be among the best. */
    boolean accepts(int key, long id) {
        return !isFull() || key > key(ranks[0]) || key == key(ranks[0]) && id < ids[0];
    }

    /** Adds a document that is accepted, instead of the worst one if there are k. */
    void add(int key, long id, int common, int size) {
        long rank = (long) key << Integer.SIZE | common << COMMON_BITS | size;
        if (isFull()) {
            sink(0, rank, id, count);
            return;
        }
        if (count == ids.length) {
            int room = (int) Math.min(k, 2L * count);
            ids = Arrays.copyOf(ids, room);
            ranks = Arrays.copyOf(ranks, room);
        }
        int at = count++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isWorse(rank, id, parent)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        ids[at] = id;
        ranks[at] = rank;
    }

    /** The ids of all that were found, ascending. */
    long[] sortedIds() {
        long[] sorted = Arrays.copyOf(ids, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /**
     * Writes what was found, the best first.
     *
     * @param at where the best one goes in each of the arrays
     */
    void write(long[] toIds, int[] toCommon, int[] toSizes, int at) {
        for (int left = count; left > 0; left--) {
            toIds[at + left - 1] = ids[0];
            toCommon[at + left - 1] = (int) ranks[0] >>> COMMON_BITS;
            toSizes[at + left - 1] = (int) ranks[0] & (1 << COMMON_BITS) - 1;
            sink(0, ranks[left - 1], ids[left - 1], left - 1);
        }
        count = 0;
    }

    private static int key(long rank) {
        return (int) (rank >>> Integer.SIZE);
    }

    private boolean isWorse(long rank, long id, int than) {
        int key = key(rank);
        int other = key(ranks[than]);
        return key < other || key == other && id > ids[than];
    }

    /** Puts a document where a free place sinks to, in a heap of some of the documents. */
    private void sink(int from, long rank, long id, int heap) {
        int at = from;
        while (2 * at + 1 < heap) {
            int child = 2 * at + 1;
            if (child + 1 < heap && isWorse(ranks[child + 1], ids[child + 1], child)) {
                child++;
            }
            if (isWorse(rank, id, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        ids[at] = id;
        ranks[at] = rank;
    }

    private void move(int from, int to) {
        ids[to] = ids[from];
        ranks[to] = ranks[from];
    }
}
