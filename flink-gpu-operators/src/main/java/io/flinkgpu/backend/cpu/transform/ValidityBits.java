package io.flinkgpu.backend.cpu.transform;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Which rows of a column are null; none at first. */
final class ValidityBits implements AutoCloseable {

    private final ArrowBuf bits;
    private int nulls;

    ValidityBits(BufferAllocator allocator, int rows) {
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

    int nulls() {
        return nulls;
    }

    ArrowBuf buffer() {
        return bits;
    }

    @Override
    public void close() {
        bits.close();
    }
}
