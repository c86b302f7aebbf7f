package io.flinkgpu.backend.plan;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * What became of a batch of lines: its groups, or those that are given out with it ({@link
 * LinePlan#holdsGroups}), lines that were read but not grouped, and which lines were refused. A line is
 * refused if it is malformed, or if a backend leaves it to the host; {@link
 * io.flinkgpu.parse.LineParser} decides. The receiver closes it.
 */
@Internal
public final class LineGroups implements AutoCloseable {

    private static final int KEY_COLUMN = 0;

    private final GroupedBatch groups;
    private final ColumnBatch keys;
    private final UngroupedLines ungrouped;
    private final ArrowBuf refusedStarts;
    private final int refused;
    private final long lines;
    private final long maxTimestamp;
    private final long copyNanos;

    /**
     * @param groups key ids and first rows mean nothing; owned from here on, as is all that follows
     * @param keys a column of byte strings, a row a group: its key
     * @param refusedStarts int32: where in the batch's bytes each refused line starts, ascending
     * @param lines in the batch, refused ones included
     * @param maxTimestamp the greatest of the lines not refused; {@code Long.MIN_VALUE} if there is none
     */
    public LineGroups(
            GroupedBatch groups,
            ColumnBatch keys,
            ArrowBuf refusedStarts,
            int refused,
            long lines,
            long maxTimestamp) {
        this(groups, keys, refusedStarts, refused, lines, maxTimestamp, 0);
    }

    /**
     * @param copyNanos from when the device could begin to copy the batch until it had it
     */
    public LineGroups(
            GroupedBatch groups,
            ColumnBatch keys,
            ArrowBuf refusedStarts,
            int refused,
            long lines,
            long maxTimestamp,
            long copyNanos) {
        this(
                groups,
                keys,
                UngroupedLines.NONE,
                refusedStarts,
                refused,
                lines,
                maxTimestamp,
                copyNanos);
    }

    /**
     * @param ungrouped owned from here on, too
     */
    public LineGroups(
            GroupedBatch groups,
            ColumnBatch keys,
            UngroupedLines ungrouped,
            ArrowBuf refusedStarts,
            int refused,
            long lines,
            long maxTimestamp,
            long copyNanos) {
        this.groups = groups;
        this.keys = keys;
        this.ungrouped = ungrouped;
        this.refusedStarts = refusedStarts;
        this.refused = refused;
        this.lines = lines;
        this.maxTimestamp = maxTimestamp;
        this.copyNanos = copyNanos;
    }

    /** The groups, in any order; there may be none. */
    public GroupedBatch groups() {
        return groups;
    }

    /** The groups' keys. */
    public TextView keys() {
        return keys.text(KEY_COLUMN);
    }

    /** Lines that are in no group, and were not refused. */
    public UngroupedLines ungrouped() {
        return ungrouped;
    }

    /** How many lines the batch has. */
    public long lines() {
        return lines;
    }

    /** How many of them were refused. */
    public int refused() {
        return refused;
    }

    /** Where in the batch's bytes a refused line starts. */
    public int refusedStart(int index) {
        return MemoryUtil.getInt(refusedStarts.memoryAddress() + (long) Integer.BYTES * index);
    }

    /** The greatest time of the lines that were not refused; {@code Long.MIN_VALUE} if there is none. */
    public long maxTimestamp() {
        return maxTimestamp;
    }

    public long deviceNanos() {
        return groups.deviceNanos();
    }

    /** The time of the batch's copy to a device, with its wait for other copies; 0 on the CPU. */
    public long copyNanos() {
        return copyNanos;
    }

    @Override
    public void close() {
        refusedStarts.close();
        ungrouped.close();
        keys.close();
        groups.close();
    }
}
