package io.flinkgpu.applications;

import io.flinkgpu.api.search.SetQuery;

/**
 * A line of the stream as the set of its shingles.
 *
 * @param number from 1 on
 */
public record ShingledLine(long number, int[] shingles) {

    /** When it asks: after the changes of the lines before it, and before its own. */
    long queryTime() {
        return 2 * number;
    }

    SetQuery query(int k, double minScore) {
        return SetQuery.of(k, shingles).withMinScore(minScore);
    }
}
