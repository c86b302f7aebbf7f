package io.flinkgpu.backend.cpu.search;

/** Slots, at least one, in the order of the sizes of their documents: each has a rank, from 0 on. */
final class SizeOrder {

    private final Slots slots;

    /** By rank: the slot. Null where the slots are in this order. */
    private final char[] byRank;

    /** By size: the first rank of a document that is at least as large. */
    private final int[] firstRanks;

    SizeOrder(Slots slots) {
        this.slots = slots;
        firstRanks = firstRanks(slots);
        byRank = slots.isSorted() ? null : byRank(slots, firstRanks);
    }

    /** As much memory as the order of some slots may take. */
    static long mostBytes(Slots slots) {
        return Integer.BYTES * (slots.tile().largest() + 2L)
                + (slots.isSorted() ? 0 : (long) Character.BYTES * slots.count());
    }

    private static int[] firstRanks(Slots slots) {
        int largest = 0;
        for (int slot = slots.from(); slot < slots.to(); slot++) {
            largest = Math.max(largest, slots.tile().size(slot));
        }
        int[] firstRanks = new int[largest + 2];
        for (int slot = slots.from(); slot < slots.to(); slot++) {
            firstRanks[slots.tile().size(slot) + 1]++;
        }
        for (int size = 0; size <= largest; size++) {
            firstRanks[size + 1] += firstRanks[size];
        }
        return firstRanks;
    }

    private static char[] byRank(Slots slots, int[] firstRanks) {
        int[] next = firstRanks.clone();
        char[] byRank = new char[slots.count()];
        for (int slot = slots.from(); slot < slots.to(); slot++) {
            byRank[next[slots.tile().size(slot)]++] = (char) slot;
        }
        return byRank;
    }

    Slots slots() {
        return slots;
    }

    int slot(int rank) {
        return byRank == null ? slots.from() + rank : byRank[rank];
    }

    /** The fewest elements that a document has. */
    int smallest() {
        return slots.tile().size(slot(0));
    }

    /** The most elements that a document has. */
    int largest() {
        return firstRanks.length - 2;
    }

    /** Where the documents of a size start, which is at most one more than the largest. */
    int firstRank(int size) {
        return firstRanks[size];
    }

    long bytes() {
        return (long) Integer.BYTES * firstRanks.length
                + (byRank == null ? 0 : (long) Character.BYTES * byRank.length);
    }
}
