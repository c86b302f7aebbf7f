package io.flinkgpu.embeddings;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory of the host for the vectors of all tables, up to a budget. What was given is not given back before the end.
 */
@Internal
public final class VectorMemory implements AutoCloseable {

    /** Of a line of a cache, or two; as much can be read after the last vector. */
    private static final int ALIGNMENT = 128;

    private final BufferAllocator allocator;
    private final List<ArrowBuf> given = new ArrayList<>();
    private long freeBytes;

    /**
     * @param budgetBytes the most that is given
     */
    public VectorMemory(BufferAllocator allocator, long budgetBytes) {
        this.allocator = allocator;
        this.freeBytes = budgetBytes;
    }

    /** How many more vectors there is memory for. */
    long room(int vectorBytes) {
        return freeBytes / vectorBytes;
    }

    /**
     * Gives memory for vectors, at most as many as there is {@link #room} for.
     *
     * @return its address, a multiple of the length of lines of caches
     */
    long take(long vectors, int vectorBytes) {
        long bytes = vectors * vectorBytes;
        ArrowBuf memory = allocator.buffer(bytes + 2 * ALIGNMENT);
        given.add(memory);
        freeBytes -= bytes;
        return memory.memoryAddress() + ALIGNMENT - 1 & -ALIGNMENT;
    }

    @Override
    public void close() {
        given.forEach(ArrowBuf::close);
    }
}
