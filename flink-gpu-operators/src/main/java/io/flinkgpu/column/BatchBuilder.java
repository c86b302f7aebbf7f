package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Fills a batch with one text column, {@value #TEXT}. */
@Internal
public final class BatchBuilder extends ColumnBuilder {

    /** The name of the column. */
    public static final String TEXT = "text";

    private static final byte[] NO_BYTES = {};

    /** Lines are written and searched this many bytes at a time, which are then in the L2 cache. */
    private static final int STEP_BYTES = 128 << 10;

    private final BufferAllocator allocator;
    private final int separatorBytes;
    private final TextBuffers text = new TextBuffers(ColumnType.TEXT);
    private final byte[] shortText = Utf8.shortTextRoom();
    private boolean holdsLines;

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes text bytes in a batch, separators included
     * @param separatorBytes 1 to put a {@code '\n'} after each row, else 0
     */
    public BatchBuilder(BufferAllocator allocator, int maxRows, int maxBytes, int separatorBytes) {
        super(maxRows, maxBytes);
        this.allocator = allocator;
        this.separatorBytes = separatorBytes;
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes) {
        return TextBuffers.fullBytes(maxRows, maxBytes);
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
        int shortLength = Utf8.encodeShortAscii(value, shortText);
        if (shortLength >= 0) {
            return append(shortText, 0, shortLength);
        }
        byte[] utf8 = Utf8.encode(value);
        return append(utf8, 0, utf8.length);
    }

    /** Appends a row for each text of a record, one that has no value for null: all of them or none. */
    public boolean append(String[] texts) {
        byte[][] utf8 = new byte[texts.length][];
        long bytes = 0;
        for (int i = 0; i < texts.length; i++) {
            utf8[i] = texts[i] == null ? NO_BYTES : Utf8.encode(texts[i]);
            bytes += utf8[i].length + separatorBytes;
        }
        if (!reserve(texts.length, bytes)) {
            return false;
        }
        for (int i = 0; i < texts.length; i++) {
            put(rows() + i, utf8[i], 0, utf8[i].length);
            if (texts[i] == null) {
                text.setNull(rows() + i);
            }
        }
        added();
        return true;
    }

    /** Appends {@code source[from, to)} as a row. */
    public boolean append(byte[] source, int from, int to) {
        if (!reserve(1, to - from + (long) separatorBytes)) {
            return false;
        }
        put(rows(), source, from, to);
        added();
        return true;
    }

    /**
     * Appends a row that is written straight into the column.
     *
     * @throws IOException what the writer throws; the batch stays as it was
     */
    public boolean append(int lengthBytes, RowWriter writer) throws IOException {
        return appendRow(lengthBytes, separatorBytes, writer);
    }

    /**
     * Appends a row that is written straight into the column.
     *
     * @param endBytes 1 to put a {@code '\n'} after it, else 0
     */
    private boolean appendRow(int lengthBytes, int endBytes, RowWriter writer) throws IOException {
        if (!reserve(1, lengthBytes + (long) endBytes)) {
            return false;
        }
        long address = text.endAddress();
        try {
            writer.write(address, 0, lengthBytes);
        } catch (Throwable t) {
            if (rows() == 0) {
                close();
            }
            throw t;
        }
        if (endBytes == 1) {
            MemoryUtil.putByte(address + lengthBytes, (byte) '\n');
        }
        text.added(rows() + 1, lengthBytes + endBytes);
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
            boolean isTerminated = lines[lines.length - 1] == '\n';
            return appendLines(lines.length, isTerminated, RowWriter.of(lines));
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
     * @param writer writes the bytes, some at a time and in order; not all if the batch has no room for the
     *     rows
     * @throws IOException what the writer throws; the batch stays as it was
     * @throws IllegalStateException if this builder's rows have no separators
     */
    public boolean appendLines(int lengthBytes, boolean isTerminated, RowWriter writer)
            throws IOException {
        if (separatorBytes != 1) {
            throw new IllegalStateException(
                    "lines need a separator behind each row: separatorBytes=" + separatorBytes);
        }
        if (!reserve(1, lengthBytes + (isTerminated ? 0L : 1L))) {
            return false;
        }
        try {
            return addLines(lengthBytes, isTerminated, writer);
        } catch (Throwable t) {
            if (rows() == 0) {
                close();
            }
            throw t;
        }
    }

    /**
     * Appends lines as {@link #appendLines} does, but as a single row that fills the batch: the
     * receiver of the batch finds the lines.
     *
     * @return false if the batch has rows
     */
    public boolean appendUnsplitLines(int lengthBytes, boolean isTerminated, RowWriter writer)
            throws IOException {
        if (rows() > 0) {
            return false;
        }
        holdsLines = appendRow(lengthBytes, isTerminated ? 0 : 1, writer);
        return holdsLines;
    }

    /** Whether the open batch's row holds lines, and so is the only one. */
    public boolean holdsLines() {
        return holdsLines;
    }

    @Override
    public boolean isFull() {
        return holdsLines || super.isFull();
    }

    /** Writes {@code source[from, to)} and its separator, for which there is room, as a row after the last. */
    private void put(int row, byte[] source, int from, int to) {
        if (separatorBytes == 0) {
            text.append(row, source, from, to);
            return;
        }
        int length = to - from;
        long address = text.endAddress();
        MemoryUtil.copyToMemory(source, from, address, length);
        MemoryUtil.putByte(address + length, (byte) '\n');
        text.added(row + 1, length + 1);
    }

    /** Writes lines after the last row, and makes rows of them if there is room. */
    private boolean addLines(int lengthBytes, boolean isTerminated, RowWriter writer)
            throws IOException {
        long address = text.endAddress();
        int room = rows() == 0 ? text.rowCapacity() : maxRows() - rows();
        int lines = 0;
        int step;
        for (int at = 0; at < lengthBytes && (lines <= room || rows() == 0); at += step) {
            step = Math.min(STEP_BYTES, lengthBytes - at);
            writer.write(address + at, at, step);
            lines += findEnds(at, step, lines, room);
        }
        if (!isTerminated) {
            MemoryUtil.putByte(address + lengthBytes, (byte) '\n');
            lines++;
        }
        setLastRows(lines);
        int addedBytes = lengthBytes + (isTerminated ? 0 : 1);
        if (lines > room) {
            if (rows() > 0) {
                return false;
            }
            requireMemory(lines, addedBytes);
            text.growRows(allocator, lines);
            findEnds(0, lengthBytes, 0, lines);
        }
        text.added(rows() + lines, addedBytes);
        added();
        return true;
    }

    /**
     * Notes where lines end in some of the bytes after the last row.
     *
     * @param lines how many end before these
     * @param room for how many in all
     */
    private int findEnds(int fromBytes, int lengthBytes, int lines, int room) {
        return LineOffsets.write(
                text.endAddress() + fromBytes,
                lengthBytes,
                text.bytes() + fromBytes,
                text.offsetAddress(rows() + 1) + (long) Integer.BYTES * lines,
                room - lines);
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
        VectorSchemaRoot column = VectorSchemaRoot.of(text.vector(TEXT, allocator, rows()));
        return holdsLines ? ColumnBatch.ofLines(column) : new ColumnBatch(column, separatorBytes);
    }

    @Override
    void release() {
        text.close();
        holdsLines = false;
    }

    /** Writes a row, or several lines. */
    @FunctionalInterface
    public interface RowWriter {

        /**
         * Writes some of the bytes to where they belong in the column.
         *
         * @param fromBytes which of them is the first
         */
        void write(long address, int fromBytes, int lengthBytes) throws IOException;

        /** Writes the bytes of an array. */
        static RowWriter of(byte[] source) {
            return (address, from, length) ->
                    MemoryUtil.copyToMemory(source, from, address, length);
        }
    }
}
