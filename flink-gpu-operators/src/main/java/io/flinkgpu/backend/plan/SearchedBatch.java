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
    private final long[] ids;
    private final int[] common;
    private final int[] sizes;
    private final long deviceNanos;

    /**
     * @param starts of each query's documents among all, and where the last ones end
     * @param ids of the documents; these arrays are the result's from here on
     * @param common how many elements a document and its query have in common
     * @param sizes how many elements a document has
     * @param deviceNanos how long the batch took on the device, or on the CPU where that is the backend
     */
    public SearchedBatch(int[] starts, long[] ids, int[] common, int[] sizes, long deviceNanos) {
        this.starts = starts;
        this.ids = ids;
        this.common = common;
        this.sizes = sizes;
        this.deviceNanos = deviceNanos;
    }

    /** How many queries there were. */
    public int queries() {
        return starts.length - 1;
    }

    /** How many documents were found for a query. */
    public int count(int query) {
        return starts[query + 1] - starts[query];
    }

    /** What was found for a query, as objects of the caller's. */
    public SetMatches matches(int query, Similarity similarity, int querySize) {
        int from = starts[query];
        int to = starts[query + 1];
        return new SetMatches(
                similarity,
                querySize,
                Arrays.copyOfRange(ids, from, to),
                Arrays.copyOfRange(common, from, to),
                Arrays.copyOfRange(sizes, from, to));
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
            for (int i = starts[query]; i < starts[query + 1]; i++) {
                if (common[i] < 0 || common[i] > Math.min(querySize, sizes[i])) {
                    return "a document has no more in common with a query than both have: query="
                            + query
                            + ", rank="
                            + (i - starts[query]);
                }
                int key = SetScores.key(similarity, common[i], querySize, sizes[i]);
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
