package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.List;

/** Which rows of a column are null; none at first. */
final class ValidityBits implements AutoCloseable {

    private final BufferAllocator allocator;
    private final int rows;
    private final ArrowBuf bits;
    private int nulls;

    ValidityBits(BufferAllocator allocator, int rows) {
        this.allocator = allocator;
        this.rows = rows;
        bits = allocator.buffer(Math.max(1, bytes(rows)));
        bits.setOne(0, bits.capacity());
    }

    /** The bytes that a bit for each row takes. */
    static long bytes(int rows) {
        return (rows + 7L) >> 3;
    }

    /** Makes a row null. */
    void clear(int row) {
        long address = bits.memoryAddress() + (row >> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (row & 7))));
        nulls++;
    }

    /** The column with these nulls; the buffers stay the caller's. */
    FieldVector column(ColumnType type, ArrowBuf... buffers) {
        List<ArrowBuf> all = new ArrayList<>(List.of(bits));
        all.addAll(List.of(buffers));
        return Vectors.of(type, type.toString(), allocator, rows, nulls, all);
    }

    @Override
    public void close() {
        bits.close();
    }
}
