package io.flinkgpu.column;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Fills a batch with one text column, {@value #TEXT}, and starts the next one after {@link #build()}.
 * Takes memory only while a batch is open: room for {@code maxRows} rows and {@code maxBytes} bytes at
 * the first row, more only for a single record that is larger, which is then alone in its batch.
 *
 * <p>Each {@code append} returns false, and appends nothing, if the batch has no room; an empty batch
 * takes any record. If the allocator has no memory it throws Arrow's {@code OutOfMemoryException} and
 * the builder stays as it was. Not thread-safe.
 */
public final class BatchBuilder implements AutoCloseable {

    /** The name of the column. */
    public static final String TEXT = "text";

    private static final int OFFSET_BYTES = 4;

    private final BufferAllocator allocator;
    private final int maxRows;
    private final int maxBytes;
    private final int separatorBytes;

    private ArrowBuf validity;
    private ArrowBuf offsets;
    private ArrowBuf data;
    private int rows;
    private int nulls;
    private int bytes;
    private long maxMemoryBytes = Long.MAX_VALUE;
    private int lastRows;
    private long lastBytes;

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes text bytes in a batch, separators included
     * @param separatorBytes 1 to put a {@code '\n'} behind each row, else 0
     */
    public BatchBuilder(BufferAllocator allocator, int maxRows, int maxBytes, int separatorBytes) {
        this.allocator = allocator;
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
        this.separatorBytes = separatorBytes;
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes) {
        return CommonUtil.nextPowerOfTwo(bitBytes(maxRows))
                + CommonUtil.nextPowerOfTwo(OFFSET_BYTES * (maxRows + 1L))
                + CommonUtil.nextPowerOfTwo((long) maxBytes);
    }

    /** Rows in the open batch. */
    public int rows() {
        return rows;
    }

    /** Text bytes in the open batch, separators included. */
    public int bytes() {
        return bytes;
    }

    /** Whether another record like the last one would not fit. */
    public boolean isFull() {
        return rows > 0 && (isOutOfRows() || bytes + lastBytes > maxBytes);
    }

    /** Whether another record like the last one would have too many rows. */
    public boolean isOutOfRows() {
        return (long) rows + lastRows > maxRows;
    }

    /**
     * Limits the memory that the next batches take. A record that needs more is refused with Arrow's
     * {@code OutOfMemoryException}, like one that the allocator has no memory for.
     */
    public void limitMemory(long maxMemoryBytes) {
        this.maxMemoryBytes = maxMemoryBytes;
    }

    /** The memory that the open batch takes. */
    public long memoryBytes() {
        return data == null ? 0 : validity.capacity() + offsets.capacity() + data.capacity();
    }

    /** Appends a row that has no value. */
    public boolean appendNull() {
        if (!reserve(1, separatorBytes)) {
            return false;
        }
        long address = validity.memoryAddress() + (rows >> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (rows & 7))));
        nulls++;
        endRow(data.memoryAddress() + bytes);
        return true;
    }

    /** Appends a row. An unpaired surrogate becomes three bytes that are not valid UTF-8. */
    public boolean append(String text) {
        byte[] utf8 = Utf8.encode(text);
        return append(utf8, 0, utf8.length);
    }

    /** Appends {@code source[from, to)} as a row. */
    public boolean append(byte[] source, int from, int to) {
        int length = to - from;
        if (!reserve(1, (long) length + separatorBytes)) {
            return false;
        }
        long address = data.memoryAddress() + bytes;
        MemoryUtil.copyToMemory(source, from, address, length);
        endRow(address + length);
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
        long address = data.memoryAddress() + bytes;
        MemoryUtil.copyToMemory(lines, 0, address, lines.length);
        if (missing == 1) {
            MemoryUtil.putByte(address + lines.length, (byte) '\n');
        }
        writeLineOffsets(lines);
        rows += lineCount;
        bytes += lines.length + missing;
        MemoryUtil.putInt(offsetAddress(rows), bytes);
        return true;
    }

    /**
     * Seals the batch. The builder is empty afterwards.
     *
     * @return the batch, the caller's to close
     * @throws IllegalStateException if it has no rows
     */
    public ColumnBatch build() {
        if (rows == 0) {
            throw new IllegalStateException("a batch needs a row: rows=0");
        }
        ArrowFieldNode node = new ArrowFieldNode(rows, nulls);
        ColumnBatch batch =
                TextColumns.of(allocator, node, validity, offsets, data, separatorBytes);
        close();
        return batch;
    }

    /** Drops the open batch. The builder can be used again. */
    @Override
    public void close() {
        for (ArrowBuf buffer : new ArrowBuf[] {validity, offsets, data}) {
            if (buffer != null) {
                buffer.close();
            }
        }
        validity = null;
        offsets = null;
        data = null;
        rows = 0;
        nulls = 0;
        bytes = 0;
    }

    private boolean reserve(int moreRows, long moreBytes) {
        lastRows = moreRows;
        lastBytes = moreBytes;
        if (rows == 0) {
            allocate(moreRows, moreBytes);
            return true;
        }
        return !isFull();
    }

    private void allocate(int firstRows, long firstBytes) {
        if (firstBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a record's text has at most 2147483647 bytes, the reach of a column's offsets:"
                            + " bytes="
                            + firstBytes
                            + "; split the record");
        }
        int rowCapacity = Math.max(maxRows, firstRows);
        int dataCapacity = (int) Math.max(maxBytes, firstBytes);
        long memoryBytes = fullBatchBytes(rowCapacity, dataCapacity);
        if (memoryBytes > maxMemoryBytes) {
            throw new OutOfMemoryException(
                    "a batch with this record needs "
                            + memoryBytes
                            + " bytes: maxMemoryBytes="
                            + maxMemoryBytes);
        }
        try {
            validity = allocator.buffer(bitBytes(rowCapacity));
            offsets = allocator.buffer(OFFSET_BYTES * (rowCapacity + 1L));
            data = allocator.buffer(dataCapacity);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        validity.setOne(0, validity.capacity());
        MemoryUtil.putInt(offsets.memoryAddress(), 0);
    }

    private void endRow(long end) {
        if (separatorBytes == 1) {
            MemoryUtil.putByte(end, (byte) '\n');
        }
        bytes = (int) (end - data.memoryAddress()) + separatorBytes;
        rows++;
        MemoryUtil.putInt(offsetAddress(rows), bytes);
    }

    private void writeLineOffsets(byte[] lines) {
        long next = offsetAddress(rows + 1);
        int i = 0;
        for (int end = Newlines.wholeWords(lines); i < end; i += Long.BYTES) {
            long marks = Newlines.marks(Newlines.word(lines, i));
            for (; marks != 0; marks &= marks - 1) {
                int lineEnd = i + WordBytes.first(marks) + 1;
                MemoryUtil.putInt(next, bytes + lineEnd);
                next += OFFSET_BYTES;
            }
        }
        for (; i < lines.length; i++) {
            if (lines[i] == '\n') {
                MemoryUtil.putInt(next, bytes + i + 1);
                next += OFFSET_BYTES;
            }
        }
    }

    private long offsetAddress(int row) {
        return offsets.memoryAddress() + (long) OFFSET_BYTES * row;
    }

    private static long bitBytes(int rows) {
        return (rows + 7L) >> 3;
    }
}
