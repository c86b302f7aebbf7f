package io.flinkgpu.backend.cuda.lines;

/**
 * The size of the table of all groups for a batch.
 *
 * @param slots its records, a power of two
 * @param probes how many of them are compared with one key before the table counts as full
 */
record LinesTable(int slots, int probes) {

    private static final int MIN_SLOTS = 1 << 13;
    private static final int MAX_SLOTS = 1 << 30;
    private static final int GROWTH = 16;

    /** Longer than any run of taken records in a table that is half full. */
    private static final int MAX_PROBES = 128;

    /** A table that is at most half full with the number of groups of an earlier batch. */
    static LinesTable forGroups(long groups) {
        return new LinesTable(powerOfTwo(2 * groups), MAX_PROBES);
    }

    /** The next one to try where this one was full: in the end one that has room for every line. */
    LinesTable grown(long lines) {
        int enough = powerOfTwo(2 * lines);
        long next = (long) GROWTH * slots;
        return next < enough
                ? new LinesTable((int) next, MAX_PROBES)
                : new LinesTable(enough, enough);
    }

    /** A power of two, at least {@code least} where there is one so large. */
    private static int powerOfTwo(long least) {
        long power = Long.highestOneBit(Math.max(2, 2 * least - 1));
        return (int) Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, power));
    }
}
