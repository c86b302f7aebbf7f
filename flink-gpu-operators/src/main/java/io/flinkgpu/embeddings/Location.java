package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

/**
 * Where a vector is: a tier, then its place there, so that the order of numbers is that of places in a tier. In a
 * word of an index the upper bits are left for the number of a batch.
 */
@Internal
public final class Location {

    /** There is no vector. */
    public static final long NONE = 0;

    /** In memory. */
    public static final long MEMORY = 1;

    /** In the base file. */
    public static final long BASE = 2;

    /** In the file of changed vectors. */
    public static final long SCRATCH = 3;

    /** How many batches have numbers of their own. */
    public static final int BATCHES = 1 << 20;

    private static final int PLACE_BITS = 42;
    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;
    private static final int BITS = PLACE_BITS + 2;
    private static final long MASK = (1L << BITS) - 1;

    private Location() {}

    public static long of(long tier, long place) {
        return tier << PLACE_BITS | place;
    }

    public static long tier(long location) {
        return location >>> PLACE_BITS;
    }

    public static long place(long location) {
        return location & PLACE_MASK;
    }

    /** The location in a word of an index. */
    public static long of(long word) {
        return word & MASK;
    }

    /** The number of the batch in a word of an index. */
    public static int batch(long word) {
        return (int) (word >>> BITS);
    }

    /** A word of an index. */
    public static long word(long location, int batch) {
        return location | (long) batch << BITS;
    }
}
