package io.flinkgpu.groups;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/** Many pieces of memory off the heap, which stay where they are until all are given back. */
final class Arena implements AutoCloseable {

    private static final int FIRST_CHUNK_BYTES = 1 << 10;
    private static final int MAX_CHUNK_BYTES = 1 << 20;

    private final BufferAllocator allocator;
    private final List<ArrowBuf> chunks = new ArrayList<>();
    private int chunkBytes = FIRST_CHUNK_BYTES;
    private long next;
    private long end;
    private long allocated;

    Arena(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * The address of a copy of some bytes.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    long copy(byte[] bytes, int at, int length) {
        long address = allocate(length + Long.BYTES - 1 & -Long.BYTES);
        MemoryUtil.copyToMemory(bytes, at, address, length);
        return address;
    }

    /**
     * The address of some bytes.
     *
     * @param bytes a multiple of 8
     * @throws org.apache.arrow.memory.OutOfMemoryException as above
     */
    long allocate(long bytes) {
        if (end - next < bytes) {
            ArrowBuf chunk = allocator.buffer(Math.max(bytes, chunkBytes));
            chunks.add(chunk);
            allocated += chunk.capacity();
            chunkBytes = Math.min(2 * chunkBytes, MAX_CHUNK_BYTES);
            next = chunk.memoryAddress();
            end = next + chunk.capacity();
        }
        long address = next;
        next += bytes;
        return address;
    }

    /** What it takes of the allocator. */
    long bytes() {
        return allocated;
    }

    @Override
    public void close() {
        chunks.forEach(ArrowBuf::close);
        chunks.clear();
        chunkBytes = FIRST_CHUNK_BYTES;
        next = 0;
        end = 0;
        allocated = 0;
    }
}
