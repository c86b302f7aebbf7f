package io.flinkgpu.operator.window.local;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.Mark;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * Checks records and aggregates them by key and slice, so that few groups are sent to the keys' subtasks
 * instead of many records.
 *
 * <p>The results of the windows are the same as if every record had been sent: groups commute, and a
 * record that would make a difference at once is sent as it came. Such is one that is late for any of
 * its windows here, at this subtask's watermark. The windows' watermark is never ahead of it, as long as
 * the input has not been idle; a slice that leaves before the watermark reaches its threshold is late
 * nowhere. Watermarks below the threshold of all rows pass them, which stay. Once the input has been
 * idle the windows' watermark may be ahead of this one, by what nobody here can know, so from then on
 * every record is sent as it came.
 *
 * <p>After a restore this watermark starts again, as the windows' does. The shuffle between the two must
 * have aligned barriers: watermarks that an unaligned checkpoint took out of it would be given to the
 * windows alone.
 *
 * <p>All methods are the task thread's.
 *
 * @param <K> the key
 * @param <T> the record
 */
final class LocalAggregator<K, T> implements BatchFunction<T, GroupedBatch> {

    private final BatchEngine<T, GroupedBatch> engine;
    private final WindowShape shape;
    private final RecordReader<K, T> reader;
    private final RowValues values;
    private final LocalOutput<K, T> local;
    private final SliceCache slices;

    /** Null where every record is sent as it came. */
    private final LocalGroups<K> groups;

    /** Null where rows need no batch. */
    private final OpenBatch<K> open;

    private boolean wasIdle;
    private long watermark = Long.MIN_VALUE;

    /** At most the thresholds of all rows in flight. */
    private long inFlightThreshold = Long.MAX_VALUE;

    /** The row that is added next, with {@link #values}. */
    private K key;

    private long startMillis;
    private long endMillis;
    private long threshold;

    /**
     * @param values that the reader fills
     * @param groups null if every record is to be sent as it came
     * @param open null if rows are grouped as they come
     */
    LocalAggregator(
            BatchEngine<T, GroupedBatch> engine,
            WindowShape shape,
            RecordReader<K, T> reader,
            RowValues values,
            LocalOutput<K, T> local,
            LocalGroups<K> groups,
            OpenBatch<K> open) {
        this.engine = engine;
        this.shape = shape;
        this.reader = reader;
        this.values = values;
        this.local = local;
        this.slices = new SliceCache(shape);
        this.groups = groups;
        this.open = open;
    }

    @Override
    public ColumnBuilder columns() {
        return open == null ? null : open.columns();
    }

    /** Does all there is to do with a record, unless it is a row of the batch. */
    @Override
    public boolean processAlone(StreamRecord<T> element) throws Exception {
        try {
            key = reader.read(element, values);
        } catch (BadRecordException e) {
            local.refused(element, e);
            return true;
        }
        if (groups == null || wasIdle || !findSlice(element.getTimestamp())) {
            local.raw(element);
            return true;
        }
        if (groups.sendUngrouped(key, startMillis, endMillis, threshold, values)) {
            return true;
        }
        if (open != null) {
            return false;
        }
        groups.add(key, startMillis, endMillis, values);
        return true;
    }

    @Override
    public boolean append(StreamRecord<T> element) {
        return open.add(key, startMillis, endMillis, threshold, values);
    }

    @Override
    public IllegalStateException noMemory(T value, OutOfMemoryException cause) {
        return new IllegalStateException(
                "no memory for a batch: "
                        + cause.getMessage()
                        + "; raise memoryLimitBytes or lower the batch policy",
                cause);
    }

    @Override
    public LocalBatch take() {
        if (!engine.hasBatchesInFlight()) {
            inFlightThreshold = Long.MAX_VALUE;
        }
        inFlightThreshold = Math.min(inFlightThreshold, open.threshold());
        return open.take(groups);
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        long timestamp = watermark.getTimestamp();
        if (engine.hasOpenBatch() && timestamp >= open.threshold()) {
            engine.flush(FlushReason.WATERMARK);
        }
        if (engine.hasBatchesInFlight() && timestamp >= inFlightThreshold) {
            engine.awaitBatchesInFlight();
        }
        if (groups != null) {
            groups.watermark(timestamp);
        }
        this.watermark = timestamp;
        mark.forward();
    }

    @Override
    public void status(WatermarkStatus status, Mark mark) throws Exception {
        if (status.isIdle()) {
            engine.drain(FlushReason.IDLE);
            wasIdle = true;
        }
        mark.forward();
    }

    @Override
    public void drained() {
        if (groups != null) {
            groups.sendAll();
        }
    }

    @Override
    public void mark(Mark mark) throws Exception {
        mark.forward();
    }

    /**
     * Finds the slice of a row.
     *
     * @return false if it must be sent as it came
     */
    private boolean findSlice(long timestamp) throws Exception {
        if (shape.isSession()) {
            return findSession(timestamp);
        }
        slices.find(timestamp);
        startMillis = slices.startMillis();
        endMillis = slices.endMillis();
        threshold = slices.threshold();
        return threshold > watermark;
    }

    private boolean findSession(long timestamp) throws Exception {
        startMillis = timestamp;
        endMillis = shape.sliceEnd(timestamp);
        if (!shape.isOpen(timestamp, endMillis, watermark)) {
            // It may belong to a session that the rows before it make.
            engine.drain(FlushReason.LATE_RECORD);
            return false;
        }
        threshold = shape.threshold(timestamp, endMillis);
        // At the watermark of another input the session that it extends may fire without it.
        return threshold > watermark;
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() throws IOException {
        try {
            BatchFunction.super.close();
        } finally {
            if (groups != null) {
                groups.close();
            }
        }
    }
}
