package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ColumnBuilder;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * The batch that lines are put into: a row a chunk or range, or a row a line. A chunk's bytes are copied,
 * a range is read straight into the column. Task thread only.
 */
final class LineBatchBuilder implements AutoCloseable {

    private final BatchBuilder builder;
    private final LineRangeReader reader = new LineRangeReader();
    private final boolean rowPerLine;
    private LineSegments segments = new LineSegments();

    /**
     * @param rowPerLine whether each line is a row with a separator, or all lines of a chunk or range are one
     */
    LineBatchBuilder(BufferAllocator allocator, int maxRows, int maxBytes, boolean rowPerLine) {
        this.rowPerLine = rowPerLine;
        builder = new BatchBuilder(allocator, maxRows, maxBytes, rowPerLine ? 1 : 0);
    }

    int rows() {
        return builder.rows();
    }

    int bytes() {
        return builder.bytes();
    }

    /** What is filled. */
    ColumnBuilder columns() {
        return builder;
    }

    /** Why lines cannot be added although nothing else takes memory. */
    static IllegalStateException noMemory(Lines lines, OutOfMemoryException cause) {
        return new IllegalStateException(
                "no memory for a batch with these lines: file="
                        + lines.file()
                        + ", offsetBytes="
                        + lines.offsetBytes()
                        + ", "
                        + cause.getMessage()
                        + "; raise memoryLimitBytes, or read files in smaller chunks or ranges",
                cause);
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
        boolean added =
                rowPerLine ? builder.appendLines(bytes) : builder.append(bytes, 0, bytes.length);
        if (added) {
            segments.add(chunk.file(), chunk.offsetBytes(), builder.rows(), chunk.isTerminated());
        }
        return added;
    }

    private boolean append(LineRange range) throws IOException {
        int lengthBytes = reader.find(range);
        if (lengthBytes == 0) {
            return true;
        }
        boolean isTerminated = reader.isTerminated();
        boolean added =
                rowPerLine
                        ? builder.appendLines(lengthBytes, isTerminated, reader::read)
                        : builder.append(lengthBytes, reader::read);
        if (added) {
            segments.add(
                    range.file(),
                    reader.firstLineBytes(),
                    builder.rows(),
                    isTerminated || range.terminatesLastLine());
        }
        return added;
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
