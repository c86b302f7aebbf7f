package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetMatches;

import org.apache.flink.annotation.Internal;

/**
 * What one shard found for a query, the best first.
 *
 * @param <Q> the query's record
 * @param origin of the query; this and its number tell it apart from others
 * @param shards how many there are, each with an answer of its own
 * @param k how many documents the query asks for
 * @param record of the query, from the first shard; null from the others
 */
@Internal
public record PartialAnswer<Q>(
        int origin, long number, long timestamp, int shards, int k, Q record, SetMatches matches) {

    /** The timestamp of a query that has none. */
    static final long NO_TIMESTAMP = Long.MIN_VALUE;

    /** Shows nothing of the query. */
    @Override
    public String toString() {
        return "PartialAnswer[origin=" + origin + ", number=" + number + "]";
    }
}
