package io.flinkgpu.operator.window;

import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What became of the records of a local aggregation. Task thread only. */
final class LocalMetrics {

    private final Counter rawRecords;
    private final Counter aggregatedRecords;
    private final Counter partials;
    private final Counter deadLetters;

    LocalMetrics(MetricGroup operatorGroup) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        rawRecords = group.counter("rawRecords");
        aggregatedRecords = group.counter("aggregatedRecords");
        partials = group.counter("partials");
        deadLetters = group.counter("deadLetters");
    }

    /** Counts a record that was sent as it came. */
    void raw() {
        rawRecords.inc();
    }

    /** Counts a record that was refused. */
    void deadLetter() {
        deadLetters.inc();
    }

    /** Counts a batch that was sent as partials. */
    void aggregated(int rows, int groups) {
        aggregatedRecords.inc(rows);
        partials.inc(groups);
    }
}
