package io.flinkgpu.operator.lookup;

import io.flinkgpu.operator.Waiting;

/**
 * A change that waits for the watermark to reach its timestamp.
 *
 * @param arrival its number among what came to its subtask; of two changes the order alone is the same in all
 */
record TimedTableChange(long timestamp, long arrival, TableChange change)
        implements Comparable<TimedTableChange>, Waiting.Timed {

    /** In the order in which they are applied. */
    @Override
    public int compareTo(TimedTableChange that) {
        int order = Long.compare(timestamp, that.timestamp);
        order = order != 0 ? order : Integer.compare(change.table(), that.change.table());
        order = order != 0 ? order : Long.compare(change.id(), that.change.id());
        return order != 0 ? order : Long.compare(arrival, that.arrival);
    }

    @Override
    public long bytes() {
        return change.isDelete() ? 0 : change.vector().length;
    }
}
