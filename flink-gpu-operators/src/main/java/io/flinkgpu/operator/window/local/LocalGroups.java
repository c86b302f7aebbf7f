package io.flinkgpu.operator.window.local;

import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.FiringTimer;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.io.Closeable;
import java.util.function.IntSupplier;

/**
 * The way of rows and groups to the keys' subtasks: rows are grouped first, unless that does not pay, and
 * groups wait for others of their keys; those of sessions do not. Task thread only.
 *
 * @param <K> the key
 */
final class LocalGroups<K> implements Closeable {

    private final WindowShape shape;

    /** Null if no row is grouped. */
    private final ReductionMonitor reduction;

    private final KeyCodec<K> codec;
    private final KeyBytes bytes = new KeyBytes();
    private final LocalOutput<K, ?> output;

    /** Null of sessions, and if no row is grouped. */
    private final HeldGroups held;

    private final FiringTimer timer;
    private final long maxHeldMillis;

    /** The key of the row that is added, and its key group. */
    private K added;

    private final IntSupplier keyGroup = this::keyGroup;

    /**
     * @param reduction null if no row is to be grouped
     * @param held owned from here on; null if windows are sessions, or no row is to be grouped
     * @param maxHeldMillis how long rows and groups may wait to be sent; 0 for any time
     */
    LocalGroups(
            WindowShape shape,
            ReductionMonitor reduction,
            KeyCodec<K> codec,
            LocalOutput<K, ?> output,
            HeldGroups held,
            ProcessingTimeService time,
            long maxHeldMillis) {
        this.timer = new FiringTimer(time, now -> sendAll());
        this.maxHeldMillis = maxHeldMillis;
        this.shape = shape;
        this.reduction = reduction;
        this.codec = codec;
        this.output = output;
        this.held = held;
    }

    /**
     * Sends a row by itself, if it is not to be grouped.
     *
     * @return false if it is
     */
    boolean sendUngrouped(K key, long start, long end, long threshold, RowValues row) {
        if (reduction != null && !reduction.takeUngrouped()) {
            return false;
        }
        output.row(key, start, end, threshold, row);
        waits();
        return true;
    }

    /** Limits how long what was added waits. */
    private void waits() {
        if (maxHeldMillis > 0 && !timer.isArmed()) {
            timer.at(timer.now() + maxHeldMillis);
        }
    }

    /**
     * Adds a row to its group; not of a session.
     *
     * @param row of which columns may be null afterwards
     */
    void add(K key, long start, long end, RowValues row) {
        codec.write(key, bytes);
        added = key;
        int rest = held.add(bytes, keyGroup, start, end, row);
        if (rest == HeldGroups.ALL) {
            output.grouped(1);
        } else {
            sendRest(key, start, end, row, rest);
        }
        reduction.grouped(1, held.beganGroup() ? 1 : 0);
        waits();
    }

    private int keyGroup() {
        return output.keyGroup(added);
    }

    /** Sends a row without its first columns, which have been added. */
    private void sendRest(K key, long start, long end, RowValues row, int first) {
        for (int column = 0; column < first; column++) {
            row.putNull(column);
        }
        output.row(key, start, end, shape.threshold(start, end), row);
    }

    /**
     * Adds a group of a batch.
     *
     * @param sessions the spans of sessions, two numbers each, of which the slice is one; null if windows
     *     do not merge
     * @return whether it is one more to be sent
     */
    boolean add(int keyGroup, KeyBytes key, long slice, long[] sessions, GroupSource group) {
        if (held != null) {
            return held.merge(keyGroup, key, slice, shape.sliceEnd(slice), group);
        }
        int span = 2 * (int) slice;
        output.group(keyGroup, key, sessions[span], sessions[span + 1], group);
        return true;
    }

    /** Counts a batch that was added, and the groups that it began. */
    void completed(int rows, int newGroups) {
        reduction.grouped(rows, newGroups);
        output.grouped(rows);
        if (held != null) {
            waits();
        } else {
            output.flush();
        }
    }

    /** Counts time the device worked. */
    void worked(long deviceNanos) {
        output.worked(deviceNanos);
    }

    /** Sends what this watermark would be too late for. */
    void watermark(long watermark) {
        if (held != null) {
            held.send(watermark);
        }
        output.flush(watermark);
    }

    /** Sends all there is. */
    void sendAll() {
        if (held != null) {
            held.sendAll();
        }
        output.flush();
    }

    /** Sends nothing; gives all memory back. */
    @Override
    public void close() {
        if (held != null) {
            held.close();
        }
    }
}
