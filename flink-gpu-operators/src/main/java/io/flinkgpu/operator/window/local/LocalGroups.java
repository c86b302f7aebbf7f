package io.flinkgpu.operator.window.local;

import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.FiringTimer;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.io.Closeable;

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

    private final LocalOutput<K, ?> output;

    /** Null of sessions. */
    private final HeldGroups<K> held;

    private final FiringTimer timer;
    private final long maxHeldMillis;

    /**
     * @param reduction null if no row is to be grouped
     * @param held owned from here on; null if windows are sessions
     * @param maxHeldMillis how long rows and groups may wait to be sent; 0 for any time
     */
    LocalGroups(
            WindowShape shape,
            ReductionMonitor reduction,
            LocalOutput<K, ?> output,
            HeldGroups<K> held,
            ProcessingTimeService time,
            long maxHeldMillis) {
        this.timer = new FiringTimer(time, now -> sendAll());
        this.maxHeldMillis = maxHeldMillis;
        this.shape = shape;
        this.reduction = reduction;
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

    /** Adds a row to its group; not of a session. */
    void add(K key, long start, long end, RowValues row) {
        reduction.grouped(1, held.add(key, start, end, row) ? 1 : 0);
        waits();
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
        if (held != null) {
            held.countRows(rows);
            waits();
        } else {
            output.flush();
            output.grouped(rows);
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
