package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Counts the milliseconds that the device worked for an operator. Task thread only. */
@Internal
public final class DeviceTime {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Counter deviceMillis;
    private long nanos;

    public DeviceTime(MetricGroup operatorGroup) {
        deviceMillis = BatchMetrics.group(operatorGroup).counter("deviceMillis");
    }

    /** Adds the time of a batch, or of some of its rows. */
    public void add(long moreNanos) {
        nanos += moreNanos;
        deviceMillis.inc(nanos / NANOS_PER_MILLI);
        nanos %= NANOS_PER_MILLI;
    }
}
