package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetQuery;

import org.apache.flink.annotation.Internal;

/**
 * A query on its way to all shards.
 *
 * @param <Q> its record
 * @param origin the subtask that gave it its number
 * @param number larger than those before it of the same origin
 * @param version of the shard's documents that it sees; 0 until it is at a shard, and not written
 */
@Internal
public record NumberedQuery<Q>(int origin, long number, Q record, SetQuery query, long version) {

    NumberedQuery(int origin, long number, Q record, SetQuery query) {
        this(origin, number, record, query, 0);
    }

    NumberedQuery<Q> at(long newVersion) {
        return new NumberedQuery<>(origin, number, record, query, newVersion);
    }

    /** Shows nothing of the query. */
    @Override
    public String toString() {
        return "NumberedQuery[origin=" + origin + ", number=" + number + "]";
    }
}
