package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.cuda.device.CudaDevice;
import io.flinkgpu.backend.cuda.device.KernelModule;

import java.util.function.Supplier;

/**
 * What a device has for searches, and how blocks share the work.
 *
 * @param sharedBytes shared memory that a block may ask for
 * @param roundQueries queries that are searched for at once, a multiple of 32
 * @param sampleDocuments of which the best are found first, if there are more; there is room for all of them
 * @param costs asked for whenever queries are to be counted
 */
record SearchShape(
        int multiprocessors,
        int sharedBytes,
        int roundQueries,
        int sampleDocuments,
        Supplier<SearchCosts> costs) {

    /** A round's candidates take 270 MB; with more queries, blocks would not be any busier. */
    private static final int ROUND_QUERIES = 512;

    /** What a block takes to make its masks, in groups of documents that it scans in that time. */
    private static final int MASK_GROUPS = 40;

    private static final int MOST_WAVES = 8;

    static SearchShape of(CudaDevice device, Supplier<SearchCosts> costs) {
        return new SearchShape(
                device.multiprocessors(),
                device.sharedBytesPerBlock() - KernelModule.RESERVED_SHARED_BYTES,
                ROUND_QUERIES,
                SearchAbi.SEARCH_TILE_SLOTS,
                costs);
    }

    /** Of how many queries a block has a bit for each element: 32, 16 or 8. */
    int groupQueries(int codes) {
        for (int queries = Integer.SIZE; queries > Byte.SIZE; queries /= 2) {
            if (maskBytes(codes, queries) <= sharedBytes) {
                return queries;
            }
        }
        return Byte.SIZE;
    }

    /** Shared memory for the masks of a group of queries. */
    int maskBytes(int codes, int groupQueries) {
        return ((codes + 1) * (groupQueries / Byte.SIZE) + 15) & -16;
    }

    /** Whether a block has room for a tile's counters. */
    boolean canInvert() {
        return SearchAbi.SEARCH_INVERTED_BYTES <= sharedBytes;
    }

    /** Shared memory for a table of so many slots; 0 if a block has none for it. */
    int tableBytes(int tableLog) {
        long bytes = (long) Long.BYTES << tableLog;
        return bytes <= sharedBytes ? (int) bytes : 0;
    }

    /**
     * Into how many parts the documents are cut, so that as few multiprocessors as can be wait for others.
     *
     * @param groups of queries, a block each for every part
     * @param documentGroups of which there is at least one
     */
    int stripes(int groups, long documentGroups) {
        int best = 1;
        double least = Double.MAX_VALUE;
        int most =
                (int)
                        Math.max(
                                1,
                                Math.min(
                                        documentGroups,
                                        (long) MOST_WAVES * multiprocessors / groups));
        // Of a number of waves the most stripes are the best, and at most eight waves are made.
        for (int stripes = 0, room = multiprocessors; stripes < most; room += multiprocessors) {
            stripes = Math.min(most, Math.max(1, room / groups));
            int waves = (groups * stripes + multiprocessors - 1) / multiprocessors;
            double time = waves * ((double) documentGroups / stripes + MASK_GROUPS);
            if (time < least) {
                least = time;
                best = stripes;
            }
        }
        return best;
    }
}
