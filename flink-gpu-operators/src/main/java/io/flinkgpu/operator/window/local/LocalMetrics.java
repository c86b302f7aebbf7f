package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What became of the records of a local aggregation. Task thread only. */
final class LocalMetrics {

    /** Records that were sent one by one: as they came, or as rows of blocks. */
    final Counter rawRecords;

    /** Records that were sent in groups. */
    final Counter aggregatedRecords;

    /** Groups that were sent. */
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
