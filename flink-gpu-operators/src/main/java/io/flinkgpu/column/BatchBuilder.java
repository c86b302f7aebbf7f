package io.flinkgpu.column;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Fills a batch with one text column, {@value #TEXT}. */
public final class BatchBuilder extends ColumnBuilder {

    /** The name of the column. */
    public static final String TEXT = "text";

    private static final byte[] NO_BYTES = {};

    private final BufferAllocator allocator;
    private final int separatorBytes;
    private final TextBuffers text = new TextBuffers();

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes text bytes in a batch, separators included
     * @param separatorBytes 1 to put a {@code '\n'} behind each row, else 0
     */
    public BatchBuilder(BufferAllocator allocator, int maxRows, int maxBytes, int separatorBytes) {
        super(maxRows, maxBytes);
        this.allocator = allocator;
        this.separatorBytes = separatorBytes;
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes) {
        return TextBuffers.neededBytes(maxRows, maxBytes);
    }

    @Override
    public long memoryBytes() {
        return text.memoryBytes();
    }

    /** Appends a row that has no value. */
    public boolean appendNull() {
        if (!append(NO_BYTES, 0, 0)) {
            return false;
        }
        text.setNull(rows() - 1);
        return true;
    }

    /** Appends a row. An unpaired surrogate becomes three bytes that are not valid UTF-8. */
    public boolean append(String value) {
        byte[] utf8 = Utf8.encode(value);
        return append(utf8, 0, utf8.length);
    }

    /** Appends {@code source[from, to)} as a row. */
    public boolean append(byte[] source, int from, int to) {
        int length = to - from;
        if (!reserve(1, (long) length + separatorBytes)) {
            return false;
        }
        long address = text.endAddress();
        MemoryUtil.copyToMemory(source, from, address, length);
        if (separatorBytes == 1) {
            MemoryUtil.putByte(address + length, (byte) '\n');
        }
        text.added(rows() + 1, length + separatorBytes);
        added();
        return true;
    }

    /**
     * Appends a row that is written straight into the column.
     *
     * @throws IOException what the writer throws; the batch stays as it was
     */
    public boolean append(int lengthBytes, RowWriter writer) throws IOException {
        if (!reserve(1, lengthBytes + (long) separatorBytes)) {
            return false;
        }
        long address = text.endAddress();
        try {
            writer.write(address);
        } catch (Throwable t) {
            if (rows() == 0) {
                close();
            }
            throw t;
        }
        if (separatorBytes == 1) {
            MemoryUtil.putByte(address + lengthBytes, (byte) '\n');
        }
        text.added(rows() + 1, lengthBytes + separatorBytes);
        added();
        return true;
    }

    /**
     * Appends a row for each line. A last line that lacks its {@code '\n'} gets one in the column.
     *
     * @throws IllegalStateException if this builder's rows have no separators
     */
    public boolean appendLines(byte[] lines) {
        if (lines.length == 0) {
            return true;
        }
        try {
            return appendLines(
                    lines.length,
                    lines[lines.length - 1] == '\n',
                    address -> MemoryUtil.copyToMemory(lines, 0, address, lines.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Appends a row for each line of bytes that are written straight into the column. A last line that
     * lacks its {@code '\n'} gets one.
     *
     * @param lengthBytes at least 1
     * @param isTerminated whether the last of the bytes is a {@code '\n'}
     * @param writer writes the bytes; once more if the batch then has no room for the rows
     * @throws IOException what the writer throws; the batch stays as it was
     * @throws IllegalStateException if this builder's rows have no separators
     */
    public boolean appendLines(int lengthBytes, boolean isTerminated, RowWriter writer)
            throws IOException {
        if (separatorBytes != 1) {
            throw new IllegalStateException(
                    "lines need a separator behind each row: separatorBytes=" + separatorBytes);
        }
        int missing = isTerminated ? 0 : 1;
        if (!reserve(1, lengthBytes + (long) missing)) {
            return false;
        }
        try {
            long address = text.endAddress();
            writer.write(address);
            if (missing == 1) {
                MemoryUtil.putByte(address + lengthBytes, (byte) '\n');
            }
            return addLines(lengthBytes + missing);
        } catch (Throwable t) {
            if (rows() == 0) {
                close();
            }
            throw t;
        }
    }

    /** Makes rows of the lines that are behind the last row. */
    private boolean addLines(int lengthBytes) {
        int room = rows() == 0 ? text.rowCapacity() : maxRows() - rows();
        int lines =
                LineOffsets.write(
                        text.endAddress(),
                        lengthBytes,
                        text.bytes(),
                        text.offsetAddress(rows() + 1),
                        room);
        setLastRows(lines);
        if (lines > room) {
            if (rows() > 0) {
                return false;
            }
            requireMemory(lines, lengthBytes);
            text.growRows(allocator, lines);
            LineOffsets.write(text.endAddress(), lengthBytes, 0, text.offsetAddress(1), lines);
        }
        text.added(rows() + lines, lengthBytes);
        added();
        return true;
    }

    @Override
    long neededBytes(int rowCapacity, int firstBytes) {
        return fullBatchBytes(rowCapacity, Math.max(maxBytes(), firstBytes));
    }

    @Override
    void allocate(int rowCapacity, int firstBytes) {
        text.allocate(allocator, rowCapacity, Math.max(maxBytes(), firstBytes));
    }

    @Override
    ColumnBatch seal() {
        return new ColumnBatch(
                VectorSchemaRoot.of(text.vector(TEXT, allocator, rows())), separatorBytes);
    }

    @Override
    void release() {
        text.close();
    }

    /** Writes a row. */
    @FunctionalInterface
    public interface RowWriter {

        /** Writes the bytes of a row to where its column is. */
        void write(long address) throws IOException;
    }
}
