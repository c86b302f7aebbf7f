package io.flinkgpu.column;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Bitmaps of columns: a bit a row, the least significant of a byte first. */
final class Bits {

    private Bits() {}

    static long bytes(long rows) {
        return (rows + 7) >> 3;
    }

    /** A bitmap with room for {@code rows}, all of whose bits are set; the caller closes it. */
    static ArrowBuf allSet(BufferAllocator allocator, int rows) {
        ArrowBuf bits = allocator.buffer(bytes(rows));
        bits.setOne(0, bits.capacity());
        return bits;
    }

    static void clear(ArrowBuf bits, int row) {
        long address = bits.memoryAddress() + (row >> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (row & 7))));
    }

    /** Closes what is not null. */
    static void closeAll(ArrowBuf... buffers) {
        for (ArrowBuf buffer : buffers) {
            if (buffer != null) {
                buffer.close();
            }
        }
    }
}
