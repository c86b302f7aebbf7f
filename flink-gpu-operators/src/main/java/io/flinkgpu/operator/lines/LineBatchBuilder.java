package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;

/**
 * The batch that lines are put into: a row a chunk or range. A chunk's bytes are copied, a range is read
 * straight into the column. Task thread only.
 */
final class LineBatchBuilder implements AutoCloseable {

    private final BatchBuilder builder;
    private final LineRangeReader reader = new LineRangeReader();
    private LineSegments segments = new LineSegments();

    LineBatchBuilder(BufferAllocator allocator, int maxRows, int maxBytes) {
        builder = new BatchBuilder(allocator, maxRows, maxBytes, 0);
    }

    int rows() {
        return builder.rows();
    }

    int bytes() {
        return builder.bytes();
    }

    /** Whether other lines like the last would not fit. */
    boolean isFull() {
        return builder.isFull();
    }

    boolean isOutOfRows() {
        return builder.isOutOfRows();
    }

    /** The memory that the open batch takes. */
    long memoryBytes() {
        return builder.memoryBytes();
    }

    /** Limits the memory that the next batches take. */
    void limitMemory(long maxMemoryBytes) {
        builder.limitMemory(maxMemoryBytes);
    }

    /**
     * Adds lines; none leave the batch as it is.
     *
     * @return false if the batch has no room; an empty one takes any lines
     * @throws org.apache.arrow.memory.OutOfMemoryException if they open the batch and there is no memory
     *     for it; they can be added again
     * @throws IOException if a range cannot be read
     */
    boolean append(Lines lines) throws IOException {
        if (lines instanceof LineChunk chunk) {
            return append(chunk);
        }
        return append((LineRange) lines);
    }

    private boolean append(LineChunk chunk) {
        byte[] bytes = chunk.bytes();
        if (bytes.length == 0) {
            return true;
        }
        if (!builder.append(bytes, 0, bytes.length)) {
            return false;
        }
        segments.add(chunk.file(), chunk.offsetBytes());
        return true;
    }

    private boolean append(LineRange range) throws IOException {
        int lengthBytes = reader.find(range);
        if (lengthBytes == 0) {
            return true;
        }
        if (!builder.append(lengthBytes, reader::read)) {
            return false;
        }
        segments.add(range.file(), reader.firstLineBytes());
        return true;
    }

    /** Where the rows come from; called before {@link #build}. */
    LineSegments takeSegments() {
        LineSegments taken = segments;
        segments = new LineSegments();
        return taken;
    }

    /** Seals the batch, the caller's to close, and starts the next one. */
    ColumnBatch build() {
        return builder.build();
    }

    @Override
    public void close() throws IOException {
        try (reader) {
            builder.close();
        }
    }
}
