package io.flinkgpu.operator.window.keyed;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what becomes of the inputs. Written by the task thread; the gauge is read by others. */
final class WindowMetrics {

    private final Counter lateRecordsDropped;
    private final Counter slowRecords;
    private final Counter drains;
    private final Counter drainedPartials;
    private final AtomicInteger bufferedPartials = new AtomicInteger();

    WindowMetrics(MetricGroup operatorGroup) {
        lateRecordsDropped = operatorGroup.counter("numLateRecordsDropped");
        MetricGroup group = operatorGroup.addGroup("gpu");
        slowRecords = group.counter("slowRecords");
        drains = group.counter("drains");
        drainedPartials = group.counter("drainedPartials");
        group.gauge("bufferedPartials", bufferedPartials::get);
    }

    void lateRecordDropped() {
        lateRecordsDropped.inc();
    }

    void slowRecord() {
        slowRecords.inc();
    }

    void buffered(int partials) {
        bufferedPartials.lazySet(partials);
    }

    void drained(int partials, int nowBuffered) {
        drains.inc();
        drainedPartials.inc(partials);
        bufferedPartials.lazySet(nowBuffered);
    }
}
