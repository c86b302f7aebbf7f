package io.flinkgpu.sets;

/**
 * Where the documents are that are still there, by id: the tile that each came to, and its slot there; tiles
 * know what became of that. Open addressing, at most two thirds full. Not thread-safe.
 */
final class Places {

    /** A place that no document has. */
    static final long NONE = 0;

    private static final int FIRST_SLOTS = 1 << 8;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Ids and places in turn; a slot whose place is {@link #NONE} is free. */
    private long[] slots = new long[2 * FIRST_SLOTS];

    private int count;

    /** So that what was read to have it in a cache counts as used. */
    private long fetched;

    /** A place: the number of a tile, which is at least 1, and a slot of it. */
    static long place(int tile, int slot) {
        return (long) tile << Character.SIZE | slot;
    }

    static int tile(long place) {
        return (int) (place >>> Character.SIZE);
    }

    static int slot(long place) {
        return (int) place & Character.MAX_VALUE;
    }

    int count() {
        return count;
    }

    /**
     * Has the slot of an id fetched. Calls for some ids in turn wait for memory once, where the calls that
     * need the slots would wait for each.
     */
    void prefetch(long id) {
        fetched += slots[first(id)];
    }

    /** The place of a document; {@link #NONE} if it has none. */
    long find(long id) {
        return slots[index(id) + 1];
    }

    /** Gives a document a place, instead of the one it had: that one, or {@link #NONE}. */
    long put(long id, long place) {
        int index = index(id);
        long old = slots[index + 1];
        slots[index] = id;
        slots[index + 1] = place;
        if (old == NONE && 3 * ++count > slots.length) {
            grow();
        }
        return old;
    }

    /** Takes its place from a document: the one it had, or {@link #NONE}. */
    long remove(long id) {
        int index = index(id);
        long old = slots[index + 1];
        if (old != NONE) {
            close(index);
            count--;
        }
        return old;
    }

    long bytes() {
        return (long) Long.BYTES * slots.length;
    }

    /** Where an id is, or the free slot where it would be. */
    private int index(long id) {
        int index = first(id);
        while (slots[index + 1] != NONE && slots[index] != id) {
            index = next(index);
        }
        return index;
    }

    /** Frees a slot, with those after it moved up to where they are still found. */
    private void close(int free) {
        int index = next(free);
        while (slots[index + 1] != NONE) {
            int wanted = first(slots[index]);
            int mask = slots.length - 1;
            if ((index - wanted & mask) >= (index - free & mask)) {
                slots[free] = slots[index];
                slots[free + 1] = slots[index + 1];
                free = index;
            }
            index = next(index);
        }
        slots[free + 1] = NONE;
    }

    private void grow() {
        if (slots.length == 1 << 30) {
            throw new IllegalStateException(
                    "a corpus has at most a third of a billion documents: documents="
                            + count
                            + "; raise the parallelism, which divides them");
        }
        long[] old = slots;
        slots = new long[2 * old.length];
        for (int i = 0; i < old.length; i += 2) {
            if (old[i + 1] != NONE) {
                int index = index(old[i]);
                slots[index] = old[i];
                slots[index + 1] = old[i + 1];
            }
        }
    }

    private int first(long id) {
        long hash = id * SPREAD;
        return (int) (hash ^ hash >>> 32) << 1 & slots.length - 1;
    }

    private int next(int index) {
        return index + 2 & slots.length - 1;
    }
}
