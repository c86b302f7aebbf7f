package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.sets.Corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which queries of a batch are better searched for by the scan, 64 at once, than each along the indexes of
 * tiles and blocks. Costs are as measured on one core; only how they compare matters.
 *
 * @param scanElementNanos of an element of a document, for up to 64 queries
 * @param scanDocumentNanos of a document, likewise
 * @param rankNanos of a rank in an index, of an element of the query
 * @param bitmapNanos of a document in a bitmap of an element of the query
 * @param elementNanos of an element of the query in an index
 * @param documentNanos of a document for a query
 */
record SearchCost(
        double scanElementNanos,
        double scanDocumentNanos,
        double rankNanos,
        double bitmapNanos,
        double elementNanos,
        double documentNanos) {

    static final SearchCost MEASURED = new SearchCost(1.8, 10, 1.5, 0.006, 50, 0.1);

    /**
     * Sorts the queries so that those that the scan is better for come first.
     *
     * @param parts those of the narrow documents that can have an index
     * @return how many these are
     */
    int scanned(List<RunningQuery> queries, Corpus corpus, List<Slots> parts) {
        long documents = 0;
        long sealed = 0;
        double scan = 0;
        for (Slots part : parts) {
            documents += part.count();
            sealed += part.isSorted() ? part.count() : 0;
            scan += scanElementNanos * part.allElements() + scanDocumentNanos * part.count();
        }
        // Frequencies are those in sealed tiles; documents that came after these are like them.
        double perSealed = sealed == 0 ? 0 : (double) documents / sealed;
        double[] costs = new double[queries.size()];
        Integer[] order = new Integer[queries.size()];
        double rest = 0;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            costs[i] = indexed(queries.get(i), corpus, parts.size(), documents, perSealed);
            rest += costs[i];
        }
        Arrays.sort(order, Comparator.comparingDouble(i -> -costs[i]));
        int best = 0;
        double least = rest;
        for (int scanned = 1; scanned <= order.length; scanned++) {
            rest -= costs[order[scanned - 1]];
            int groups = (scanned + BitSlicedScan.MAX_QUERIES - 1) / BitSlicedScan.MAX_QUERIES;
            if (groups * scan + rest < least) {
                least = groups * scan + rest;
                best = scanned;
            }
        }
        List<RunningQuery> unsorted = new ArrayList<>(queries);
        for (int i = 0; i < order.length; i++) {
            queries.set(i, unsorted.get(order[i]));
        }
        return best;
    }

    private double indexed(
            RunningQuery query, Corpus corpus, int indexes, long documents, double perSealed) {
        double nanos = indexes * elementNanos * query.numbers().length + documents * documentNanos;
        for (int number : query.numbers()) {
            nanos +=
                    Math.min(
                            rankNanos * perSealed * corpus.frequency(number),
                            bitmapNanos * documents);
        }
        return nanos;
    }
}
