package io.flinkgpu.backend.cpu.lines.group;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that stay where they are until all are given back. After each run that was taken are {@value
 * #PADDING} bytes that may be read. Not thread-safe.
 */
@Internal
public final class ByteArena implements AutoCloseable {

    public static final int PADDING = 32;

    private static final int CHUNK_BYTES = 64 << 10;

    private final BufferAllocator allocator;
    private final List<ArrowBuf> chunks = new ArrayList<>();
    private long next;
    private long end;

    public ByteArena(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** The address of {@code lengthBytes} more, whose contents are undefined. */
    public long take(int lengthBytes) {
        long needed = (long) lengthBytes + PADDING;
        if (needed > end - next) {
            ArrowBuf chunk = allocator.buffer(Math.max(needed, CHUNK_BYTES));
            chunks.add(chunk);
            next = chunk.memoryAddress();
            end = next + chunk.capacity();
        }
        long taken = next;
        next += needed;
        return taken;
    }

    /** The address of a copy. */
    long copy(byte[] bytes) {
        long address = take(bytes.length);
        MemoryUtil.copyToMemory(bytes, 0, address, bytes.length);
        return address;
    }

    /** Gives the bytes back that were taken last, at this address. */
    void giveBack(long address) {
        next = address;
    }

    @Override
    public void close() {
        chunks.forEach(ArrowBuf::close);
        chunks.clear();
        next = 0;
        end = 0;
    }
}
