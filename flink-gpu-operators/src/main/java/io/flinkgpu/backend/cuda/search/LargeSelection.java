package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.sets.SetScores;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The best documents for a query that asks for more of them than a device sorts. */
final class LargeSelection {

    /** A document; the best come first. */
    record Hit(int key, long id, int size) {}

    private final int k;
    private final List<Hit> hits = new ArrayList<>();
    private int minKey;

    LargeSelection(int k) {
        this.k = k;
    }

    /** What the key of a document has to be that may be among the best. */
    int minKey() {
        return minKey;
    }

    void add(int key, long id, int size) {
        hits.add(new Hit(key, id, size));
        if (hits.size() >= 2L * k) {
            cut();
        }
    }

    private void cut() {
        hits.sort(Comparator.comparingInt(Hit::key).reversed().thenComparingLong(Hit::id));
        if (hits.size() >= k) {
            hits.subList(k, hits.size()).clear();
            minKey = hits.get(k - 1).key();
        }
    }

    /** The best k. */
    List<Hit> best() {
        cut();
        return hits;
    }

    /** How much a document and its query have in common. */
    static int common(Hit hit, Similarity similarity, int querySize) {
        return SetScores.leastCommon(
                similarity, querySize, hit.size(), 0, hit.key(), Double.NEGATIVE_INFINITY);
    }
}
