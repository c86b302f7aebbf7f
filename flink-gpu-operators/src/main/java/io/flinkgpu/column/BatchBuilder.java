package io.flinkgpu.column;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.io.IOException;

/** Fills a batch with one text column, {@value #TEXT}. */
public final class BatchBuilder extends ColumnBuilder {

    /** The name of the column. */
    public static final String TEXT = "text";

    private static final byte[] NO_BYTES = {};

    private final BufferAllocator allocator;
    private final int separatorBytes;
    private final TextBuffers text = new TextBuffers();
    private final byte[] shortText = Utf8.shortTextRoom();

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
        int shortLength = Utf8.encodeShortAscii(value, shortText);
        if (shortLength >= 0) {
            return append(shortText, 0, shortLength);
        }
        byte[] utf8 = Utf8.encode(value);
        return append(utf8, 0, utf8.length);
    }

    /** Appends {@code source[from, to)} as a row. */
    public boolean append(byte[] source, int from, int to) {
        int length = to - from;
        if (!reserve(1, (long) length + separatorBytes)) {
            return false;
        }
        if (separatorBytes == 0) {
            text.append(rows(), source, from, to);
        } else {
            long address = text.endAddress();
            MemoryUtil.copyToMemory(source, from, address, length);
            MemoryUtil.putByte(address + length, (byte) '\n');
            text.added(rows() + 1, length + 1);
        }
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
        if (separatorBytes != 1) {
            throw new IllegalStateException(
                    "lines need a separator behind each row: separatorBytes=" + separatorBytes);
        }
        if (lines.length == 0) {
            return true;
        }
        int missing = lines[lines.length - 1] == '\n' ? 0 : 1;
        int lineCount = Newlines.count(lines) + missing;
        if (!reserve(lineCount, (long) lines.length + missing)) {
            return false;
        }
        long address = text.endAddress();
        MemoryUtil.copyToMemory(lines, 0, address, lines.length);
        if (missing == 1) {
            MemoryUtil.putByte(address + lines.length, (byte) '\n');
        }
        writeLineOffsets(lines);
        text.added(rows() + lineCount, lines.length + missing);
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

    private void writeLineOffsets(byte[] lines) {
        long next = text.offsetAddress(rows() + 1);
        int start = text.bytes();
        int i = 0;
        for (int end = Newlines.wholeWords(lines); i < end; i += Long.BYTES) {
            long marks = Newlines.marks(Newlines.word(lines, i));
            // Where no line ends, the end of the next one is written over it: a branch here is hard
            // to foretell.
            MemoryUtil.putInt(next, start + i + WordBytes.first(marks) + 1);
            for (long more = marks & marks - 1; more != 0; more &= more - 1) {
                next += Integer.BYTES;
                MemoryUtil.putInt(next, start + i + WordBytes.first(more) + 1);
            }
            next += Integer.BYTES * ((marks | -marks) >>> 63);
        }
        for (; i < lines.length; i++) {
            if (lines[i] == '\n') {
                MemoryUtil.putInt(next, start + i + 1);
                next += Integer.BYTES;
            }
        }
    }

    /** Writes a row. */
    @FunctionalInterface
    public interface RowWriter {

        /** Writes the bytes of a row to where its column is. */
        void write(long address) throws IOException;
    }
}
