package io.flinkgpu.operator.search;

import io.flinkgpu.operator.Waiting;

/**
 * A change that waits for the watermark to reach its timestamp.
 *
 * @param arrival its number among those of its shard
 */
record TimedChange(long timestamp, long arrival, DocumentChange change)
        implements Comparable<TimedChange>, Waiting.Timed {

    @Override
    public long bytes() {
        return change.isDelete() ? 0 : change.packed().length;
    }

    /** In the order in which they are applied. */
    @Override
    public int compareTo(TimedChange that) {
        int order = Long.compare(timestamp, that.timestamp);
        order = order != 0 ? order : Long.compare(change.id(), that.change.id());
        return order != 0 ? order : Long.compare(arrival, that.arrival);
    }
}
