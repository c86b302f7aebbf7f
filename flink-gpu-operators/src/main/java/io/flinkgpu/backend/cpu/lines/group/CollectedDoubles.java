package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.backend.cpu.aggregate.ValueColumn;
import io.flinkgpu.column.NumberView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * The doubles of a batch's lines, each with its group, to be summed when all of them are known: only then
 * is it known which bins a sum needs. Off-heap, but for the groups, which are kept for the next batch.
 */
@Internal
public final class CollectedDoubles implements AutoCloseable {

    private static final int MIN_CAPACITY = 1024;

    private final BufferAllocator allocator;
    private ArrowBuf buffer;
    private long address;
    private int[] groupOf = new int[MIN_CAPACITY];
    private int capacity;
    private int size;

    public CollectedDoubles(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    void add(int group, long bits) {
        if (size == capacity) {
            grow();
        }
        MemoryUtil.putLong(address + 8L * size, bits);
        groupOf[size++] = group;
    }

    private void grow() {
        int count = Math.max(MIN_CAPACITY, 2 * capacity);
        ArrowBuf grown = allocator.buffer(8L * count);
        if (buffer != null) {
            MemoryUtil.copyMemory(address, grown.memoryAddress(), 8L * size);
            buffer.close();
        }
        buffer = grown;
        address = grown.memoryAddress();
        if (groupOf.length < count) {
            groupOf = Arrays.copyOf(groupOf, count);
        }
        capacity = count;
    }

    /** Gives them to a column, which is valid until this is closed. */
    public void loadInto(ValueColumn column) {
        column.loadDoubles(new NumberView(size, 0, address, 0), groupOf);
    }

    /** Forgets all, and gives memory back. */
    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
        capacity = 0;
        size = 0;
    }
}
