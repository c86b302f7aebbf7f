package io.flinkgpu.operator.window;

import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What became of the records of a local aggregation. Task thread only. */
final class LocalMetrics {

    /** Records that were sent as they came. */
    final Counter rawRecords;

    /** Records of batches that were sent as partials. */
    final Counter aggregatedRecords;

    final Counter partials;

    /** Records that were refused. */
    final Counter deadLetters;

    LocalMetrics(MetricGroup operatorGroup) {
        MetricGroup group = BatchMetrics.group(operatorGroup);
        rawRecords = group.counter("rawRecords");
        aggregatedRecords = group.counter("aggregatedRecords");
        partials = group.counter("partials");
        deadLetters = group.counter("deadLetters");
    }
}
