package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what becomes of the inputs of windows in tables. Written by the task thread; the gauges are read by
 * others.
 */
@Internal
public final class TableMetrics {

    private final Counter lateRecordsDropped;
    private final Counter slowRecords;
    private final Counter storedGroups;
    private final AtomicLong heldGroups = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();

    public TableMetrics(MetricGroup operatorGroup) {
        lateRecordsDropped = operatorGroup.counter("numLateRecordsDropped");
        MetricGroup group = operatorGroup.addGroup("gpu");
        slowRecords = group.counter("slowRecords");
        storedGroups = group.counter("storedGroups");
        group.gauge("heldGroups", heldGroups::get);
        group.gauge("heldBytes", heldBytes::get);
    }

    public void lateRecordDropped() {
        lateRecordsDropped.inc();
    }

    public void slowRecord() {
        slowRecords.inc();
    }

    /** What is in memory now, and how many groups were written to state so far. */
    public void holds(long groups, long bytes, long stored) {
        heldGroups.lazySet(groups);
        heldBytes.lazySet(bytes);
        storedGroups.inc(stored - storedGroups.getCount());
    }
}
