package io.flinkgpu.backend.plan;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/** The columns of scores while they are written. Closing it drops what was not built. */
@Internal
public final class ScoredRows implements AutoCloseable {

    private final BufferAllocator allocator;
    private final int rows;
    private final int outputs;
    private final List<ArrowBuf> buffers = new ArrayList<>();
    private final ArrowBuf values;
    private final ArrowBuf valueOffsets;
    private final ArrowBuf ends;
    private final ArrowBuf endOffsets;

    /**
     * @param outputs of each row
     */
    public ScoredRows(BufferAllocator allocator, int rows, int outputs) {
        this.allocator = allocator;
        this.rows = rows;
        this.outputs = outputs;
        try {
            values = buffer((long) Float.BYTES * Math.max(1, (long) rows * outputs));
            valueOffsets = buffer(Integer.BYTES * (rows + 1L));
            ends = buffer((long) Integer.BYTES * Math.max(1, rows));
            endOffsets = buffer(Integer.BYTES * (rows + 1L));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        for (int row = 0; row <= rows; row++) {
            valueOffsets.setInt((long) Integer.BYTES * row, row * outputs);
            endOffsets.setInt((long) Integer.BYTES * row, row);
        }
        for (int row = 0; row < rows; row++) {
            ends.setInt((long) Integer.BYTES * row, outputs);
        }
    }

    private ArrowBuf buffer(long bytes) {
        ArrowBuf buffer = allocator.buffer(bytes);
        buffers.add(buffer);
        return buffer;
    }

    /** Where the scores go, row after row. */
    public long address() {
        return values.memoryAddress();
    }

    /** Writes the scores of a row. */
    public void put(int row, float[] scores) {
        long to = values.memoryAddress() + (long) Float.BYTES * row * outputs;
        for (int i = 0; i < outputs; i++) {
            MemoryUtil.putInt(to + (long) Float.BYTES * i, Float.floatToRawIntBits(scores[i]));
        }
    }

    /** The columns, once all rows are written: NaN has the same bits whatever computed it. */
    public ColumnBatch build() {
        for (long at = 0; at < (long) Float.BYTES * rows * outputs; at += Float.BYTES) {
            if (Float.isNaN(values.getFloat(at))) {
                values.setFloat(at, Float.NaN);
            }
        }
        return LookupColumns.of(
                allocator,
                rows,
                List.of(valueOffsets, values),
                rows * outputs,
                List.of(endOffsets, ends),
                rows);
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
    }
}
