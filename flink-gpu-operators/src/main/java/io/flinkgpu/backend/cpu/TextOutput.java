package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** A column of texts while it is written, row by row, the pieces of a row one behind the other. */
final class TextOutput implements OutputColumn {

    private final Part[] parts;
    private final TextSearch search;
    private final BufferAllocator allocator;
    private final int batchRows;
    private final int separatorBytes;
    private final ValidityBits validity;
    private ArrowBuf offsets;
    private ArrowBuf data;
    private long base;
    private long capacity;
    private long written;
    private int done;

    /**
     * @param expectedBytes of the column; more if there are more
     */
    TextOutput(
            Part[] parts,
            TextSearch search,
            BufferAllocator allocator,
            int batchRows,
            int separatorBytes,
            long expectedBytes) {
        this.parts = parts;
        this.search = search;
        this.allocator = allocator;
        this.batchRows = batchRows;
        this.separatorBytes = separatorBytes;
        validity = new ValidityBits(allocator, batchRows);
        try {
            offsets = allocator.buffer(Integer.BYTES * (batchRows + 1L));
            replaceData(allocator.buffer(expectedBytes));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        MemoryUtil.putInt(offsets.memoryAddress(), 0);
    }

    @Override
    public void append(int rows) {
        long offset = offsets.memoryAddress() + Integer.BYTES * (done + 1L);
        for (int row = 0; row < rows; row++) {
            long rowStart = written;
            if (!appendParts(row)) {
                written = rowStart;
                validity.clear(done + row);
            }
            if (separatorBytes == 1) {
                reserve(1);
                MemoryUtil.putByte(base + written, (byte) '\n');
                written++;
            }
            if (written > Integer.MAX_VALUE) {
                throw new OutOfMemoryException(
                        "a column of a batch has at most 2147483647 bytes: bytes=" + written);
            }
            MemoryUtil.putInt(offset, (int) written);
            offset += Integer.BYTES;
        }
        done += rows;
    }

    /** Returns false if the row is null. */
    private boolean appendParts(int row) {
        for (Part part : parts) {
            if (!part.isWrittenIn(row)) {
                continue;
            }
            int length = part.text.lengths[row];
            if (length < 0) {
                return false;
            }
            long start = part.text.starts[row];
            switch (part.change) {
                case NONE -> append(start, length);
                case UPPER -> append(CaseMapping.UPPER, start, length);
                case LOWER -> append(CaseMapping.LOWER, start, length);
                case REPLACE -> appendReplaced(part, start, length);
            }
        }
        return true;
    }

    private void append(long start, int length) {
        reserve(length);
        Bytes.copy(start, base + written, length);
        written += length;
    }

    private void append(CaseMapping mapping, long start, int length) {
        reserve(CaseMapping.mostBytes(length));
        written += mapping.write(start, length, base + written);
    }

    private void appendReplaced(Part part, long start, int length) {
        long what = part.what.starts[0];
        int whatLength = part.what.lengths[0];
        int copied = 0;
        int at = search.find(start, length, 0, what, whatLength);
        while (at >= 0) {
            append(start + copied, at - copied);
            append(part.with.starts[0], part.with.lengths[0]);
            copied = at + whatLength;
            at = search.find(start, length, copied, what, whatLength);
        }
        append(start + copied, length - copied);
    }

    private void reserve(long more) {
        if (written + more > capacity) {
            grow(written + more);
        }
    }

    private void grow(long needed) {
        // The old buffer is held while the new one is filled, so doubling would take three times as
        // much.
        ArrowBuf larger = allocator.buffer(Math.max(capacity + (capacity >> 1), needed));
        MemoryUtil.copyMemory(base, larger.memoryAddress(), written);
        data.close();
        replaceData(larger);
    }

    private void replaceData(ArrowBuf buffer) {
        data = buffer;
        base = buffer.memoryAddress();
        capacity = buffer.capacity();
    }

    /** Bytes written so far. */
    long bytes() {
        return written;
    }

    @Override
    public FieldVector finish() {
        return Vectors.of(
                ColumnType.TEXT,
                ColumnType.TEXT.name(),
                allocator,
                batchRows,
                validity.nulls(),
                List.of(validity.buffer(), offsets, data));
    }

    @Override
    public void close() {
        validity.close();
        if (offsets != null) {
            offsets.close();
        }
        if (data != null) {
            data.close();
        }
    }
}
