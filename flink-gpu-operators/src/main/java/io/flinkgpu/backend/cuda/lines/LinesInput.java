package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

/**
 * Where the bytes of a batch of lines are in host memory. A view, valid while the batch is open.
 *
 * @param data the first byte
 * @param dataBytes bytes of all rows
 * @param firstOffset the offset of the first byte
 * @param breaks the offsets of the rows but the first
 * @param breaksCount how many they are
 * @param table to begin with
 */
record LinesInput(
        long data, int dataBytes, int firstOffset, long breaks, int breaksCount, LinesTable table) {

    /** That of a batch; null if it has no bytes. */
    static LinesInput of(ColumnBatch batch, LinesTable table) {
        if (batch.rows() == 0) {
            return null;
        }
        TextView lines = batch.text(LinePlan.LINES_COLUMN);
        int first = lines.start(0);
        int dataBytes = lines.dataBytes() - first;
        long breaks = lines.offsetsAddress() + Integer.BYTES;
        return dataBytes == 0
                ? null
                : new LinesInput(
                        lines.dataAddress() + first,
                        dataBytes,
                        first,
                        breaks,
                        lines.rows() - 1,
                        table);
    }

    /** That of a batch without rows, with which all that is held is given out. */
    static LinesInput ofNothing() {
        return new LinesInput(0, 0, 0, 0, 0, LinesTable.forGroups(0));
    }

    long breaksBytes() {
        return (long) Integer.BYTES * breaksCount;
    }
}
