package io.flinkgpu.operator.window;

import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** Emits what a local aggregation gives, and counts it. Task thread only. */
final class LocalOutput<K, T> {

    private final Output<StreamRecord<WindowInput<K, T>>> output;
    private final OutputTag<DeadLetter<T>> deadLetters;
    private final BlockOutput<K, T> blocks;
    private final KeyCodec<K> codec;
    private final KeyBytes keyBytes = new KeyBytes();
    private final BatchGroup group = new BatchGroup();
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
            BlockOutput<K, T> blocks,
            KeyCodec<K> codec,
            ReductionMonitor reduction,
            MetricGroup operatorGroup) {
        this.output = output;
        this.deadLetters = deadLetters;
        this.blocks = blocks;
        this.codec = codec;
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

    /** Begins with the groups of a part of a batch. */
    void open(GroupedBatch batch) {
        group.open(batch);
    }

    /** Sends a group of the batch, at the latest when the batch is completed. */
    void group(K key, long startMillis, long endMillis, int index) {
        codec.write(key, keyBytes);
        int keyGroup = blocks.keyGroup(key);
        blocks.group(keyGroup, keyBytes, startMillis, endMillis, group.move(index));
    }

    /** Counts time the device worked. */
    void worked(long deviceNanos) {
        deviceTime.add(deviceNanos);
    }

    /** Counts a batch that was emitted. */
    void completed(int rows, int groups) {
        blocks.flush();
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
