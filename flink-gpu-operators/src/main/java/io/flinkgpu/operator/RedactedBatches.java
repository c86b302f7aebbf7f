package io.flinkgpu.operator;

import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Puts the results of a batch that ran in parts together. */
final class RedactedBatches {

    private RedactedBatches() {}

    /** The rows of both, in this order, in new memory. Both stay the caller's. */
    static RedactedBatch concat(
            BufferAllocator allocator, RedactedBatch left, RedactedBatch right) {
        TextView first = left.text();
        TextView second = right.text();
        int rows = first.rows() + second.rows();
        long bytes = (long) first.dataBytes() + second.dataBytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a batch's redacted text has at most 2147483647 bytes: bytes="
                            + bytes
                            + "; lower maxBytes of the batch policy");
        }
        long[] matches = left.matchesPerRule().clone();
        for (int rule = 0; rule < matches.length; rule++) {
            matches[rule] += right.matchesPerRule()[rule];
        }
        try (ArrowBuf data = allocator.buffer(bytes);
                ArrowBuf offsets = allocator.buffer(4L * (rows + 1))) {
            MemoryUtil.copyMemory(first.dataAddress(), data.memoryAddress(), first.dataBytes());
            MemoryUtil.copyMemory(
                    second.dataAddress(),
                    data.memoryAddress() + first.dataBytes(),
                    second.dataBytes());
            for (int row = 0; row <= first.rows(); row++) {
                offsets.setInt(4L * row, first.start(row));
            }
            for (int row = 1; row <= second.rows(); row++) {
                offsets.setInt(4L * (first.rows() + row), first.dataBytes() + second.start(row));
            }
            ArrowBuf changed = allocator.buffer(rows);
            for (int row = 0; row < rows; row++) {
                boolean is =
                        row < first.rows() ? left.changed(row) : right.changed(row - first.rows());
                changed.setByte(row, is ? 1 : 0);
            }
            ColumnBatch batch =
                    TextColumns.of(allocator, rows, offsets, data, first.separatorBytes());
            return new RedactedBatch(
                    batch, changed, matches, left.deviceNanos() + right.deviceNanos());
        }
    }
}
