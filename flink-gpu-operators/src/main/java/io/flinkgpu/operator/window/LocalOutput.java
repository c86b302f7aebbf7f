package io.flinkgpu.operator.window;

import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** Emits what a local aggregation gives, and counts it. Task thread only. */
final class LocalOutput<K, T> {

    private final Output<StreamRecord<WindowInput<K, T>>> output;
    private final OutputTag<DeadLetter<T>> deadLetters;
    private final GroupPartials partials;
    private final ReductionMonitor reduction;
    private final LocalMetrics metrics;
    private final DeviceTime deviceTime;
    private final StreamRecord<WindowInput<K, T>> reused = new StreamRecord<>(null);

    /**
     * @param deadLetters where records that were refused go, or null if they fail the task
     * @param reduction is told what came of each batch
     */
    LocalOutput(
            Output<StreamRecord<WindowInput<K, T>>> output,
            OutputTag<DeadLetter<T>> deadLetters,
            GroupPartials partials,
            ReductionMonitor reduction,
            MetricGroup operatorGroup) {
        this.output = output;
        this.deadLetters = deadLetters;
        this.partials = partials;
        this.reduction = reduction;
        this.metrics = new LocalMetrics(operatorGroup);
        this.deviceTime = new DeviceTime(operatorGroup);
    }

    /** Emits a record as it came. */
    void raw(StreamRecord<T> element) {
        reused.replace(WindowInput.raw(element.getValue()));
        if (element.hasTimestamp()) {
            reused.setTimestamp(element.getTimestamp());
        } else {
            reused.eraseTimestamp();
        }
        output.collect(reused);
        metrics.rawRecords.inc();
    }

    /** Emits a group of a batch. */
    void partial(K key, long startMillis, long endMillis, GroupedBatch batch, int group) {
        reused.replace(
                WindowInput.partial(key, startMillis, endMillis, partials.partial(batch, group)));
        reused.eraseTimestamp();
        output.collect(reused);
    }

    /** Counts time the device worked. */
    void worked(long deviceNanos) {
        deviceTime.add(deviceNanos);
    }

    /** Counts a batch that was emitted. */
    void completed(int rows, int groups) {
        reduction.completed(rows, groups);
        metrics.aggregatedRecords.inc(rows);
        metrics.partials.inc(groups);
    }

    /**
     * Emits a record that cannot be aggregated as a dead letter.
     *
     * @throws IllegalArgumentException if there is nowhere to put it
     */
    void refused(StreamRecord<T> element, BadRecordException reason) {
        T record = element.getValue();
        if (deadLetters == null || record == null) {
            throw new IllegalArgumentException(
                    "a record cannot be aggregated: " + reason.getMessage(), reason);
        }
        StreamRecord<DeadLetter<T>> letter =
                new StreamRecord<>(new DeadLetter<>(record, reason.getMessage()));
        if (element.hasTimestamp()) {
            letter.setTimestamp(element.getTimestamp());
        }
        output.collect(deadLetters, letter);
        metrics.deadLetters.inc();
    }
}
