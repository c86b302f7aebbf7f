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
 */
record LinesInput(long data, int dataBytes, int firstOffset, long breaks, int breaksCount) {

    static LinesInput of(ColumnBatch batch) {
        if (batch.rows() == 0) {
            return new LinesInput(0, 0, 0, 0, 0);
        }
        TextView lines = batch.text(LinePlan.LINES_COLUMN);
        int first = lines.start(0);
        return new LinesInput(
                lines.dataAddress() + first,
                lines.dataBytes() - first,
                first,
                lines.offsetsAddress() + Integer.BYTES,
                lines.rows() - 1);
    }

    long breaksBytes() {
        return (long) Integer.BYTES * breaksCount;
    }
}
