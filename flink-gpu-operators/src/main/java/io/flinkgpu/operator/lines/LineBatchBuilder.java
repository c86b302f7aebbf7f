package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.BatchBuilder.RowWriter;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The batch that lines are put into. A chunk's bytes are copied, a range is read straight into the
 * column. Task thread only.
 */
final class LineBatchBuilder implements AutoCloseable {

    private final BatchBuilder builder;
    private final LineRangeReader reader;
    private final Split split;
    private final int maxBytes;
    private List<LineSegment> segments = new ArrayList<>();

    /** What becomes of the lines of a chunk or range. */
    enum Split {
        /** All are one row. */
        NONE,

        /** Each is a row with a separator. */
        ROWS,

        /** Each is a row, but where they have more than half of a batch's bytes, it holds lines. */
        ROWS_OR_LINES
    }

    /**
     * @param reports has what files are that is not as it should be
     */
    LineBatchBuilder(
            BufferAllocator allocator,
            int maxRows,
            int maxBytes,
            Split split,
            FileReports reports) {
        this.reader = new LineRangeReader(reports);
        this.split = split;
        this.maxBytes = maxBytes;
        builder = new BatchBuilder(allocator, maxRows, maxBytes, split == Split.NONE ? 0 : 1);
    }

    int bytes() {
        return builder.bytes();
    }

    /** Whether the open batch holds lines. */
    boolean holdsLines() {
        return builder.holdsLines();
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

    private boolean append(LineChunk chunk) throws IOException {
        byte[] bytes = chunk.bytes();
        if (bytes.length == 0) {
            return true;
        }
        boolean isRow = chunk.isRecord() && split != Split.NONE;
        boolean added =
                isRow
                        ? appendRecord(bytes, chunk.isTerminated())
                        : append(bytes.length, chunk.isTerminated(), RowWriter.of(bytes));
        if (added) {
            added(chunk, chunk.offsetBytes(), chunk.isTerminated(), isRow);
        }
        return added;
    }

    /** A row has a separator, which is the end of the record's last line. */
    private boolean appendRecord(byte[] lines, boolean isTerminated) {
        return !builder.holdsLines()
                && builder.append(lines, 0, lines.length - (isTerminated ? 1 : 0));
    }

    private boolean append(LineRange range) throws IOException {
        int lengthBytes = reader.find(range);
        if (lengthBytes == 0) {
            reader.used();
            return true;
        }
        boolean isTerminated = reader.isTerminated();
        boolean added;
        try {
            added = append(lengthBytes, isTerminated, reader::read);
        } catch (MissingFileException e) {
            reader.skip(e);
            return true;
        }
        if (added) {
            reader.used();
            boolean isEnded = isTerminated || range.terminatesLastLine();
            added(range, reader.firstLineBytes(), isEnded, false);
        }
        return added;
    }

    private void added(Lines lines, long offsetBytes, boolean isTerminated, boolean isRecord) {
        segments.add(
                new LineSegment(lines.file(), offsetBytes, builder.rows(), isTerminated, isRecord));
    }

    private boolean append(int lengthBytes, boolean isTerminated, RowWriter lines)
            throws IOException {
        if (split == Split.NONE) {
            return builder.append(lengthBytes, lines);
        }
        // Batches that take others in, too, are split here: these would have to be told apart.
        boolean isAlone = builder.rows() == 0 && 2L * lengthBytes > maxBytes;
        return split == Split.ROWS_OR_LINES && isAlone
                ? builder.appendUnsplitLines(lengthBytes, isTerminated, lines)
                : builder.appendLines(lengthBytes, isTerminated, lines);
    }

    /** Where the rows come from; called before the columns are sealed. */
    List<LineSegment> takeSegments() {
        List<LineSegment> taken = segments;
        segments = new ArrayList<>();
        return taken;
    }

    @Override
    public void close() throws IOException {
        try (reader) {
            builder.close();
        }
    }
}
