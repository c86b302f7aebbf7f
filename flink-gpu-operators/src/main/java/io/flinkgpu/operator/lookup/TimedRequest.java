package io.flinkgpu.operator.lookup;

import io.flinkgpu.operator.Waiting;

import java.util.Comparator;

/**
 * A request that waits for the watermark to reach its timestamp.
 *
 * @param arrival its number among those of its subtask
 */
record TimedRequest<Q>(long timestamp, long arrival, TableRequest<Q> request)
        implements Waiting.Timed {

    /** In the order in which they are asked. */
    static <Q> Comparator<TimedRequest<Q>> order() {
        return Comparator.<TimedRequest<Q>>comparingLong(TimedRequest::timestamp)
                .thenComparingLong(TimedRequest::arrival);
    }

    @Override
    public long bytes() {
        return request.bytes();
    }
}
