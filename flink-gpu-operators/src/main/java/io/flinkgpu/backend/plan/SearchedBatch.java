package io.flinkgpu.backend.plan;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.SetScores;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

import java.util.Arrays;

/**
 * The documents found for the queries of a batch, in the order of the queries and the best first. On the heap:
 * closing it does nothing.
 */
@Internal
public final class SearchedBatch implements AutoCloseable {

    private final int[] starts;
    private final int[] counts;
    private final long[] ids;
    private final int[] pairs;
    private final long deviceNanos;

    /**
     * @param starts of each query's documents in the next but one array and the one after, in any order
     * @param counts how many documents each query has
     * @param ids of the documents; all arrays are the result's from here on
     * @param pairs of each document what {@link #pair} gives
     * @param deviceNanos how long the batch took on the device, or on the CPU where that is the backend
     */
    public SearchedBatch(int[] starts, int[] counts, long[] ids, int[] pairs, long deviceNanos) {
        this.starts = starts;
        this.counts = counts;
        this.ids = ids;
        this.pairs = pairs;
        this.deviceNanos = deviceNanos;
    }

    /** Of no queries. */
    public static SearchedBatch nothing() {
        return new SearchedBatch(new int[0], new int[0], new long[0], new int[0], 0);
    }

    /**
     * Two numbers below 65,536 in one.
     *
     * @param common how many elements a document and its query have in common
     * @param size how many elements a document has
     */
    public static int pair(int common, int size) {
        return size << Character.SIZE | common;
    }

    private static int common(int pair) {
        return pair & Character.MAX_VALUE;
    }

    private static int size(int pair) {
        return pair >>> Character.SIZE;
    }

    /** How many queries there were. */
    public int queries() {
        return starts.length;
    }

    /** How many documents were found for a query. */
    public int count(int query) {
        return counts[query];
    }

    /** What was found for a query, as objects of the caller's. */
    public SetMatches matches(int query, Similarity similarity, int querySize) {
        int from = starts[query];
        int[] common = new int[counts[query]];
        int[] sizes = new int[common.length];
        for (int i = 0; i < common.length; i++) {
            common[i] = common(pairs[from + i]);
            sizes[i] = size(pairs[from + i]);
        }
        return new SetMatches(
                similarity,
                querySize,
                Arrays.copyOfRange(ids, from, from + common.length),
                common,
                sizes);
    }

    public long deviceNanos() {
        return deviceNanos;
    }

    /** What cannot be of what was found for a batch of queries; null if nothing. */
    String defectOf(Similarity similarity, ColumnBatch batch) {
        ListVector elements = (ListVector) batch.vector(SearchPlan.ELEMENTS_COLUMN);
        IntVector k = (IntVector) batch.vector(SearchPlan.K_COLUMN);
        for (int query = 0; query < queries(); query++) {
            int querySize =
                    elements.getElementEndIndex(query) - elements.getElementStartIndex(query);
            if (count(query) < 0 || count(query) > k.get(query)) {
                return "a query gets at most k documents: query=" + query + ", k=" + k.get(query);
            }
            int lastKey = Integer.MAX_VALUE;
            for (int i = starts[query]; i < starts[query] + counts[query]; i++) {
                int common = common(pairs[i]);
                int size = size(pairs[i]);
                if (common > Math.min(querySize, size)) {
                    return "a document has no more in common with a query than both have: query="
                            + query
                            + ", rank="
                            + (i - starts[query]);
                }
                int key = SetScores.key(similarity, common, querySize, size);
                if (key > lastKey || key == lastKey && ids[i] <= ids[i - 1]) {
                    return "documents come in order, the best first: query="
                            + query
                            + ", rank="
                            + (i - starts[query]);
                }
                lastKey = key;
            }
        }
        return null;
    }

    @Override
    public void close() {}
}
