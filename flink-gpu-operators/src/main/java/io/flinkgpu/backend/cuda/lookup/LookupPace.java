package io.flinkgpu.backend.cuda.lookup;

/**
 * How often caches are changed, and by how much.
 *
 * @param epochBatches batches from one time to the next, after which frequencies are halved
 * @param mostSwaps of vectors of a table at a time
 * @param listEntries vectors that are listed to come into a cache, and to leave it, however small it is
 */
record LookupPace(int epochBatches, int mostSwaps, int listEntries) {

    /** A cache is so many times as large as what is listed. */
    private static final int LIST_PARTS = 32;

    /**
     * An epoch of 1,024 batches of 100,000 ids counts the vectors apart that are the last to be in a cache of some
     * percent; the swaps are read over the link in some milliseconds.
     */
    static final LookupPace STANDARD = new LookupPace(1024, 1 << 16, 1 << 22);

    /**
     * How many vectors each list has at most, so that both take no more than a 32nd of the cache, or that many entries:
     * batches need the rest of the memory. Those that are not listed wait for another time.
     */
    int listEntries(int places, int stride) {
        long ofCache = (long) places * stride / (2 * LIST_PARTS * Admission.ENTRY_BYTES);
        return (int) Math.min(places, Math.max(listEntries, ofCache));
    }
}
