package io.flinkgpu.backend.cuda.search;

/**
 * What the two ways to count common elements take, all multiprocessors together, in nanoseconds.
 *
 * @param tile to look at the counters of a tile for a query
 * @param posting to count a document for a query
 * @param element to add an element's mask for a group of queries, of any number
 */
record SearchCosts(double tile, double posting, double element) {

    /**
     * Of an H200, as the benchmark {@code search engines} measured it. Other devices differ in how fast they
     * are, and less in which of the two is faster.
     */
    static final SearchCosts H200 = new SearchCosts(43.5, 0.00074, 0.00076);

    /**
     * Of a group of queries, by inverted indexes.
     *
     * @param postings of all their elements, in all tiles
     */
    double invertedNanos(int queries, int tiles, long postings) {
        return tile * queries * tiles + posting * postings;
    }

    /** Of a group of queries, by a scan of all elements. */
    double scanNanos(long elements) {
        return element * elements;
    }
}
