package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.cpu.bytes.Bytes;
import io.flinkgpu.program.TextPart;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.Arrays;

/** A column of texts while it is written, row by row, the pieces of a row one behind the other. */
final class TextOutput implements OutputColumn {

    private final Part[] parts;
    private final boolean isPlain;
    private final Registers registers;
    private final TextSearch search;
    private final BufferAllocator allocator;
    private final int separatorBytes;
    private final ValidityBits validity;
    private final long offsetsAddress;
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
            Registers registers,
            TextSearch search,
            BufferAllocator allocator,
            int batchRows,
            int separatorBytes,
            long expectedBytes) {
        this.parts = parts;
        this.registers = registers;
        isPlain = Arrays.stream(parts).allMatch(part -> part.change == TextPart.Change.NONE);
        this.search = search;
        this.allocator = allocator;
        this.separatorBytes = separatorBytes;
        validity = new ValidityBits(allocator, batchRows);
        try {
            offsets = allocator.buffer(Integer.BYTES * (batchRows + 1L));
            replaceData(allocator.buffer(expectedBytes));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        offsetsAddress = offsets.memoryAddress();
        putOffset(0, 0);
    }

    @Override
    public void append(int rows) {
        if (isPlain && registers.isSlackBehind()) {
            appendLoosely(rows);
            return;
        }
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
            putOffset(done + row + 1, written);
        }
        done += rows;
    }

    /**
     * Appends rows of pieces that are written as they are. No branch depends on guards, or on which of a
     * few lengths a piece has: they are hard to foretell.
     */
    private void appendLoosely(int rows) {
        long at = written;
        for (int row = 0; row < rows; row++) {
            long rowStart = at;
            int anyNull = 0;
            for (Part part : parts) {
                int length = part.text.lengths[row] & part.mask(row);
                anyNull |= length;
                length &= ~(length >> 31);
                if (at + length + Bytes.SLACK > capacity) {
                    grow(at, at + length + Bytes.SLACK);
                }
                Bytes.copyLoosely(part.text.starts[row], base + at, length);
                at += length;
            }
            if (anyNull < 0) {
                at = rowStart;
                validity.clear(done + row);
            }
            if (separatorBytes == 1) {
                if (at == capacity) {
                    grow(at, at + 1);
                }
                MemoryUtil.putByte(base + at, (byte) '\n');
                at++;
            }
            putOffset(done + row + 1, at);
        }
        written = at;
        done += rows;
    }

    private void putOffset(int row, long offset) {
        if (offset > Integer.MAX_VALUE) {
            throw new OutOfMemoryException(
                    "a column of a batch has at most 2147483647 bytes: bytes=" + offset);
        }
        MemoryUtil.putInt(offsetsAddress + (long) Integer.BYTES * row, (int) offset);
    }

    /** Returns false if the row is null. */
    private boolean appendParts(int row) {
        for (Part part : parts) {
            if (part.mask(row) == 0) {
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
        if (registers.isSlackBehind()) {
            reserve(length + (long) Bytes.SLACK);
            Bytes.copyLoosely(start, base + written, length);
        } else {
            reserve(length);
            Bytes.copy(start, base + written, length);
        }
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
            grow(written, written + more);
        }
    }

    private void grow(long used, long needed) {
        // The old buffer is held while the new one is filled, so doubling would take three times as
        // much.
        ArrowBuf larger = allocator.buffer(Math.max(capacity + (capacity >> 1), needed));
        MemoryUtil.copyMemory(base, larger.memoryAddress(), used);
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
        return validity.column(ColumnType.TEXT, offsets, data);
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
