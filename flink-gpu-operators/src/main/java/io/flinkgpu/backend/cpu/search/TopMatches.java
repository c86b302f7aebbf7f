package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetMatches;

import java.util.Arrays;

/**
 * The best documents seen so far for one query. Better is a larger key, and of equal ones the smaller id.
 * Documents are appended until there are twice k of them; then the best k are selected (quickselect), and the
 * worst of these is what others have to beat from then on. Its memory grows with what was found, not with k.
 */
final class TopMatches {

    private static final int FIRST_ROOM = 16;
    private static final int COMMON_BITS = 16;

    /** So few are sorted by insertion. */
    private static final int FEW = 16;

    private final int k;
    private long[] ids;

    /** Of each document the key in the upper half, then what it has in common, then its size. */
    private long[] ranks;

    private int count;

    /** Of the worst of the best k when they were last selected; another document has to be better. */
    private int worstKey = -1;

    private long worstId;

    private int random = 1;

    TopMatches(int k) {
        this.k = k;
        ids = new long[(int) Math.min(2L * k, FIRST_ROOM)];
        ranks = new long[ids.length];
    }

    int count() {
        return Math.min(count, k);
    }

    boolean isFull() {
        return count >= k;
    }

    /** The least key that another document needs, as far as is known; it rises now and then. */
    int minKey() {
        if (count >= k + (k >> 2) || count >= k && worstKey < 0) {
            select();
        }
        return Math.max(worstKey, 0);
    }

    /** Whether a document may be among the best. */
    boolean accepts(int key, long id) {
        return key > worstKey || key == worstKey && id < worstId;
    }

    /** Adds a document that is accepted. */
    void add(int key, long id, int common, int size) {
        if (count == ids.length) {
            makeRoom();
            if (!accepts(key, id)) {
                return;
            }
        }
        ids[count] = id;
        ranks[count++] = (long) key << Integer.SIZE | common << COMMON_BITS | size;
    }

    private void makeRoom() {
        if (count == 2L * k) {
            select();
            return;
        }
        int room = (int) Math.min(Math.min(2L * k, 2L * count), Integer.MAX_VALUE - 8);
        ids = Arrays.copyOf(ids, room);
        ranks = Arrays.copyOf(ranks, room);
    }

    /** The ids of the best, ascending. */
    long[] sortedIds() {
        select();
        long[] sorted = Arrays.copyOf(ids, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Writes the best, the very best first. */
    void write(long[] toIds, int[] toPairs) {
        select();
        sort(0, count - 1);
        for (int i = 0; i < count; i++) {
            toIds[i] = ids[i];
            int rank = (int) ranks[i];
            toPairs[i] = SetMatches.pair(rank >>> COMMON_BITS, rank & (1 << COMMON_BITS) - 1);
        }
    }

    /** Keeps the best k, if there are as many: the worst of them is the last one then. */
    private void select() {
        if (count < k) {
            return;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = partition(low, high);
            if (middle < k - 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        count = k;
        worstKey = key(ranks[k - 1]);
        worstId = ids[k - 1];
    }

    /** Sorts a range, the best first. */
    private void sort(int from, int to) {
        int low = from;
        int high = to;
        while (high - low >= FEW) {
            int middle = partition(low, high);
            // The shorter part first: so calls are not nested deeper than the logarithm.
            if (middle - low < high - middle) {
                sort(low, middle);
                low = middle + 1;
            } else {
                sort(middle + 1, high);
                high = middle;
            }
        }
        for (int i = low + 1; i <= high; i++) {
            long rank = ranks[i];
            long id = ids[i];
            int at = i;
            for (; at > low && isBetter(rank, id, ranks[at - 1], ids[at - 1]); at--) {
                ranks[at] = ranks[at - 1];
                ids[at] = ids[at - 1];
            }
            ranks[at] = rank;
            ids[at] = id;
        }
    }

    /**
     * Divides a range of at least two (Hoare): none up to the returned place, which is not the last one, is
     * worse than any after it. The pivot is random, so that no order of documents is a bad one.
     */
    private int partition(int low, int high) {
        random = random * 1_664_525 + 1_013_904_223;
        int pivot = low + (int) ((random & 0xFFFF_FFFFL) * (high - low) >>> Integer.SIZE);
        long rank = ranks[pivot];
        long id = ids[pivot];
        int i = low - 1;
        int j = high + 1;
        while (true) {
            do {
                i++;
            } while (isBetter(ranks[i], ids[i], rank, id));
            do {
                j--;
            } while (isBetter(rank, id, ranks[j], ids[j]));
            if (i >= j) {
                return j;
            }
            swap(i, j);
        }
    }

    private void swap(int i, int j) {
        long rank = ranks[i];
        ranks[i] = ranks[j];
        ranks[j] = rank;
        long id = ids[i];
        ids[i] = ids[j];
        ids[j] = id;
    }

    private static int key(long rank) {
        return (int) (rank >>> Integer.SIZE);
    }

    private static boolean isBetter(long rank, long id, long otherRank, long otherId) {
        int key = key(rank);
        int other = key(otherRank);
        return key > other || key == other && id < otherId;
    }
}
