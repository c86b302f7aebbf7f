package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Writes a copy of a text column with some byte ranges replaced. Text between replacements is copied in
 * runs that may span rows. Throws Arrow's {@code OutOfMemoryException} when the copy is too large for
 * the allocator, or for a column's offsets. The caller closes it, also after {@link #finish()}.
 */
@Internal
public final class TextWriter implements AutoCloseable {

    private final BufferAllocator allocator;
    private final TextView text;
    private final ArrowBuf offsets;
    private ArrowBuf data;
    private long capacity;
    private long written;
    private long rowStart;
    private int copiedTo;
    private int replacements;

    public TextWriter(BufferAllocator allocator, TextView text) {
        this.allocator = allocator;
        this.text = text;
        this.offsets = allocator.buffer(4L * (text.rows() + 1));
        try {
            this.data = allocator.buffer(text.dataBytes() + text.dataBytes() / 8L + 1024);
        } catch (RuntimeException e) {
            offsets.close();
            throw e;
        }
        this.capacity = data.capacity();
    }

    /** Notes where the next row starts. */
    void startRow(int row) {
        rowStart = written + text.start(row) - copiedTo;
        putOffset(row, rowStart);
    }

    /** Puts bytes in place of the input's bytes between two offsets, which are after all earlier ones. */
    void replace(int from, int to, byte[] bytes, int length) {
        int run = from - copiedTo;
        ensure((long) run + length);
        MemoryUtil.copyMemory(text.dataAddress() + copiedTo, data.memoryAddress() + written, run);
        written += run;
        MemoryUtil.copyToMemory(bytes, 0, data.memoryAddress() + written, length);
        written += length;
        copiedTo = to;
        replacements++;
    }

    /** Bytes of the row up to the last replacement in it, that included. */
    int rowBytes() {
        return (int) (written - rowStart);
    }

    /** Copies the rest of the row, which ends at an offset of the input; returns all of it. */
    byte[] endRow(int end) {
        int run = end - copiedTo;
        ensure(run);
        MemoryUtil.copyMemory(text.dataAddress() + copiedTo, data.memoryAddress() + written, run);
        written += run;
        copiedTo = end;
        byte[] row = new byte[rowBytes()];
        MemoryUtil.copyFromMemory(data.memoryAddress() + rowStart, row, 0, row.length);
        return row;
    }

    /** Puts other bytes in place of a row that has ended. */
    void replaceRow(byte[] bytes, int length) {
        written = rowStart;
        ensure(length);
        MemoryUtil.copyToMemory(bytes, 0, data.memoryAddress() + written, length);
        written += length;
    }

    /** How many ranges were replaced so far. */
    int replacements() {
        return replacements;
    }

    /** Copies the rest and hands the column over; the caller closes the batch. */
    ColumnBatch finish() {
        int run = text.dataBytes() - copiedTo;
        ensure(run);
        MemoryUtil.copyMemory(text.dataAddress() + copiedTo, data.memoryAddress() + written, run);
        written += run;
        copiedTo += run;
        putOffset(text.rows(), written);
        offsets.writerIndex(4L * (text.rows() + 1));
        data.writerIndex(written);
        return TextColumns.of(allocator, text.rows(), offsets, data, text.separatorBytes());
    }

    private void putOffset(int row, long offset) {
        if (offset > Integer.MAX_VALUE) {
            throw new OutOfMemoryException(
                    "a redacted batch has at most 2147483647 bytes: bytes=" + offset);
        }
        MemoryUtil.putInt(offsets.memoryAddress() + 4L * row, (int) offset);
    }

    private void ensure(long more) {
        if (written + more <= capacity) {
            return;
        }
        // The old buffer is held while the new one is filled, so doubling would take three times as
        // much.
        ArrowBuf larger = allocator.buffer(Math.max(capacity + capacity / 2, written + more));
        MemoryUtil.copyMemory(data.memoryAddress(), larger.memoryAddress(), written);
        data.close();
        data = larger;
        capacity = larger.capacity();
    }

    @Override
    public void close() {
        offsets.close();
        data.close();
    }
}
