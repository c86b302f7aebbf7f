package io.flinkgpu.backend.plan;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.SetScores;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * The documents found for the queries of a batch, in the order of the queries and the best first. On the heap:
 * closing it does nothing.
 */
@Internal
public final class SearchedBatch implements AutoCloseable {

    private final long[][] ids;
    private final int[][] pairs;
    private final long deviceNanos;

    /**
     * @param ids of each query's documents; all arrays are the result's from here on
     * @param pairs of each query's documents what {@link SetMatches#pair} gives
     * @param deviceNanos how long the batch took on the device, or on the CPU where that is the backend
     */
    public SearchedBatch(long[][] ids, int[][] pairs, long deviceNanos) {
        this.ids = ids;
        this.pairs = pairs;
        this.deviceNanos = deviceNanos;
    }

    /** Of no queries. */
    public static SearchedBatch nothing() {
        return new SearchedBatch(new long[0][], new int[0][], 0);
    }

    /** How many queries there were. */
    public int queries() {
        return ids.length;
    }

    /** How many documents were found for a query. */
    public int count(int query) {
        return ids[query].length;
    }

    /** What was found for a query. */
    public SetMatches matches(int query, Similarity similarity, int querySize) {
        return SetMatches.ofPairs(similarity, querySize, ids[query], pairs[query]);
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
            if (count(query) > k.get(query)) {
                return "a query gets at most k documents: query=" + query + ", k=" + k.get(query);
            }
            SetMatches found = matches(query, similarity, querySize);
            int lastKey = Integer.MAX_VALUE;
            for (int i = 0; i < found.count(); i++) {
                int common = found.common(i);
                int size = found.size(i);
                if (common > Math.min(querySize, size)) {
                    return "a document has no more in common with a query than both have: query="
                            + query
                            + ", rank="
                            + i;
                }
                int key = SetScores.key(similarity, common, querySize, size);
                if (key > lastKey || key == lastKey && found.id(i) <= found.id(i - 1)) {
                    return "documents come in order, the best first: query="
                            + query
                            + ", rank="
                            + i;
                }
                lastKey = key;
            }
        }
        return null;
    }

    @Override
    public void close() {}
}
