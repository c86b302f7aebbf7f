package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/**
 * A column of numbers or booleans while it is filled: 8 bytes or a bit a row, and a bit for whether it
 * has a value. Holds memory from {@link #allocate} to {@link #close}, and can then be used again.
 */
final class FixedBuffers implements AutoCloseable {

    private final ColumnType type;
    private final boolean isBits;
    private ArrowBuf validity;
    private ArrowBuf data;
    private int nulls;

    FixedBuffers(ColumnType type) {
        this.type = type;
        this.isBits = type == ColumnType.BOOLEAN;
    }

    /** The memory that so many rows take from an allocator, at most. */
    long neededBytes(int rows) {
        long dataBytes = isBits ? Bits.bytes(rows) : (long) Long.BYTES * rows;
        return CommonUtil.nextPowerOfTwo(Bits.bytes(rows)) + CommonUtil.nextPowerOfTwo(dataBytes);
    }

    /** Takes memory for so many rows; the caller closes this if it throws. */
    void allocate(BufferAllocator allocator, int rows) {
        validity = Bits.allSet(allocator, rows);
        data = isBits ? Bits.allSet(allocator, rows) : allocator.buffer((long) Long.BYTES * rows);
    }

    long memoryBytes() {
        return data == null ? 0 : validity.capacity() + data.capacity();
    }

    /** Sets the next row: an integer, the bits of a double, or 0 for false. */
    void put(int row, long word) {
        if (!isBits) {
            MemoryUtil.putLong(data.memoryAddress() + (long) Long.BYTES * row, word);
        } else if (word == 0) {
            Bits.clear(data, row);
        }
    }

    /** Leaves the next row without a value. */
    void putNull(int row) {
        put(row, 0);
        Bits.clear(validity, row);
        nulls++;
    }

    /** The first rows as a vector, which holds the memory as well. */
    FieldVector vector(String name, BufferAllocator allocator, int rows) {
        return Vectors.of(type, name, allocator, rows, nulls, List.of(validity, data));
    }

    @Override
    public void close() {
        Bits.closeAll(validity, data);
        validity = null;
        data = null;
        nulls = 0;
    }
}
