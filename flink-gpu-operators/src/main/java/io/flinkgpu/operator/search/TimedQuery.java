package io.flinkgpu.operator.search;

import io.flinkgpu.operator.Waiting;

import java.util.Comparator;

/** A query that waits for the watermark to reach its timestamp. */
record TimedQuery<Q>(long timestamp, NumberedQuery<Q> query) implements Waiting.Timed {

    /** In the order in which they are asked. */
    static <Q> Comparator<TimedQuery<Q>> order() {
        return Comparator.<TimedQuery<Q>>comparingLong(TimedQuery::timestamp)
                .thenComparingInt(timed -> timed.query().origin())
                .thenComparingLong(timed -> timed.query().number());
    }

    @Override
    public long bytes() {
        return (long) Integer.BYTES * query.query().elements().length;
    }
}
