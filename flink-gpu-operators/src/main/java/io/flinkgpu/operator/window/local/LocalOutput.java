package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.DeviceTime;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** Emits what a local aggregation gives, and counts it. Task thread only. */
final class LocalOutput<K, T> {

    private static final String DEAD_LETTERS =
            "; or set deadLetters(tag), which puts such records aside";

    private final Output<StreamRecord<WindowInput<K, T>>> output;
    private final OutputTag<DeadLetter<T>> deadLetters;
    private final BlockOutput<K, T> blocks;
    private final KeyCodec<K> codec;
    private final KeyBytes keyBytes = new KeyBytes();
    private final LocalMetrics metrics;
    private final DeviceTime deviceTime;
    private final ErrorValues errors;
    private final StreamRecord<WindowInput<K, T>> reused = new StreamRecord<>(null);

    /** At most the thresholds of all rows and groups in blocks that were not flushed. */
    private long leastThreshold = Long.MAX_VALUE;

    /**
     * @param deadLetters where records that were refused go, or null if they fail the task
     */
    LocalOutput(
            OutputTag<DeadLetter<T>> deadLetters,
            BlockOutput<K, T> blocks,
            KeyCodec<K> codec,
            BatchContext<T, WindowInput<K, T>> context) {
        this.output = context.output();
        this.deadLetters = deadLetters;
        this.blocks = blocks;
        this.codec = codec;
        this.errors = context.options().errorValues();
        this.metrics = new LocalMetrics(context.metrics());
        this.deviceTime = new DeviceTime(context.metrics());
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

    /** The key group of a key. */
    int keyGroup(K key) {
        return blocks.keyGroup(key);
    }

    /**
     * Sends a row of a slice, at the latest at the next flush.
     *
     * @param threshold the watermark from which on the row is late for one of its windows
     */
    void row(K key, long startMillis, long endMillis, long threshold, RowValues row) {
        codec.write(key, keyBytes);
        blocks.row(blocks.keyGroup(key), keyBytes, startMillis, endMillis, row);
        leastThreshold = Math.min(leastThreshold, threshold);
        metrics.rawRecords.inc();
    }

    /** Sends a group of a slice, before the next watermark. */
    void group(int keyGroup, KeyBytes key, long startMillis, long endMillis, GroupSource group) {
        blocks.group(keyGroup, key, startMillis, endMillis, group);
        leastThreshold = Long.MIN_VALUE;
        metrics.partials.inc();
    }

    /** Flushes what a watermark would be too late for. */
    void flush(long watermark) {
        if (watermark >= leastThreshold) {
            flush();
        }
    }

    /** Sends all rows and groups. */
    void flush() {
        blocks.flush();
        leastThreshold = Long.MAX_VALUE;
    }

    /** Counts time the device worked. */
    void worked(long deviceNanos) {
        deviceTime.add(deviceNanos);
    }

    /** Counts rows that are sent in groups. */
    void grouped(long rows) {
        metrics.aggregatedRecords.inc(rows);
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
                    "a record cannot be aggregated: "
                            + reason.getMessage()
                            + (deadLetters == null ? DEAD_LETTERS : "")
                            + errors.remedy(),
                    reason);
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
