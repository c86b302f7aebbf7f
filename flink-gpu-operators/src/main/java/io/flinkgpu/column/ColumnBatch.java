package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.TransferPair;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows as named Arrow columns of equal length. Read-only once built. The receiver closes it;
 * closing gives the buffers back to the allocator they came from.
 */
@Internal
public final class ColumnBatch implements AutoCloseable {

    private final VectorSchemaRoot columns;
    private final int separatorBytes;
    private final boolean holdsLines;

    /**
     * @param columns the vectors; the batch owns them from here on
     * @param separatorBytes 1 if each text row is followed by a {@code '\n'} that is not part of it
     */
    public ColumnBatch(VectorSchemaRoot columns, int separatorBytes) {
        this(columns, separatorBytes, false);
    }

    private ColumnBatch(VectorSchemaRoot columns, int separatorBytes, boolean holdsLines) {
        this.columns = columns;
        this.separatorBytes = separatorBytes;
        this.holdsLines = holdsLines;
    }

    /**
     * A batch of one row, without a separator, that holds lines.
     *
     * @param column a text, which ends with {@code '\n'}; the batch owns it from here on
     */
    static ColumnBatch ofLines(VectorSchemaRoot column) {
        return new ColumnBatch(column, 0, true);
    }

    /** Whether the one row is to be taken for lines, each with a {@code '\n'} after it. */
    public boolean holdsLines() {
        return holdsLines;
    }

    /**
     * The lines that the batch holds as rows with separators: a batch of its own, which shares this
     * batch's data and is closed on its own.
     *
     * @param allocator where the rows' offsets live
     */
    public ColumnBatch splitLines(BufferAllocator allocator) {
        TextView text = text(0);
        int lines = LineOffsets.write(text.dataAddress(), text.dataBytes(), 0, 0, 0);
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (lines + 1L))) {
            offsets.setInt(0, 0);
            long firstEnd = offsets.memoryAddress() + Integer.BYTES;
            LineOffsets.write(text.dataAddress(), text.dataBytes(), 0, firstEnd, lines);
            return TextColumns.of(allocator, lines, offsets, vector(0).getDataBuffer(), 1);
        }
    }

    public int rows() {
        return columns.getRowCount();
    }

    /** 1 if each text row is followed by a {@code '\n'} that is not part of it, else 0. */
    public int separatorBytes() {
        return separatorBytes;
    }

    /** How many columns there are. */
    public int columns() {
        return columns.getFieldVectors().size();
    }

    /** The vector of a column. */
    public FieldVector vector(int column) {
        return columns.getVector(column);
    }

    /** Where the bytes of a column of text, or of byte strings, are. */
    public TextView text(int column) {
        return TextView.of(columns.getVector(column), separatorBytes);
    }

    /** Where the numbers of a column are. */
    public NumberView numbers(int column) {
        BaseFixedWidthVector vector = (BaseFixedWidthVector) columns.getVector(column);
        return new NumberView(
                rows(),
                vector.getNullCount(),
                vector.getDataBuffer().memoryAddress(),
                vector.getValidityBuffer().memoryAddress());
    }

    /**
     * Some of the rows as a batch of their own, which shares this batch's data and is closed on its own.
     *
     * @param firstRow the first of them
     * @param rowCount how many; fewer than there are
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is none for the offsets, and the bitmaps
     *     that start within a byte; no more is held then
     */
    public ColumnBatch slice(int firstRow, int rowCount) {
        if (rowCount >= rows()) {
            throw new IllegalArgumentException(
                    "a slice has fewer rows than its batch: rowCount="
                            + rowCount
                            + ", rows="
                            + rows());
        }
        // Not Arrow's own slice, which drops what it has when there is no memory for the rest.
        List<FieldVector> slices = new ArrayList<>();
        try {
            for (FieldVector vector : columns.getFieldVectors()) {
                TransferPair transfer = vector.getTransferPair(vector.getAllocator());
                slices.add((FieldVector) transfer.getTo());
                transfer.splitAndTransfer(firstRow, rowCount);
            }
        } catch (RuntimeException e) {
            Vectors.close(slices);
            throw e;
        }
        return Vectors.batch(slices, rowCount, separatorBytes);
    }

    @Override
    public void close() {
        columns.close();
    }
}
