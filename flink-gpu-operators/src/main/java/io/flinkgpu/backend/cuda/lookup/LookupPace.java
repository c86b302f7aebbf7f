package io.flinkgpu.backend.cuda.lookup;

/**
 * How often caches are changed, and by how much.
 *
 * @param epochBatches batches from one time to the next, after which frequencies are halved
 * @param mostSwaps of vectors of a table at a time
 */
record LookupPace(int epochBatches, int mostSwaps) {

    /**
     * An epoch of 1,024 batches of 100,000 ids counts the vectors apart that are the last to be in a cache of some
     * percent; the swaps are read over the link in some milliseconds.
     */
    static final LookupPace STANDARD = new LookupPace(1024, 1 << 16);
}
