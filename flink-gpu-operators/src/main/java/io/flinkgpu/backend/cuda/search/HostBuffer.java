package io.flinkgpu.backend.cuda.search;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Host memory that grows, and that a device copies from and to. The caller closes it. */
final class HostBuffer implements AutoCloseable {

    private final BufferAllocator allocator;

    /** Null: there is none. */
    private ArrowBuf buffer;

    HostBuffer(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Makes room; what was there is lost if it grows, so the device must not use it. */
    void reserve(long bytes) {
        if (buffer == null || buffer.capacity() < bytes) {
            close();
            buffer = allocator.buffer(bytes);
        }
    }

    long address() {
        return buffer.memoryAddress();
    }

    /** Writes the first values of an array. */
    void put(long offset, short[] values, int count) {
        view(offset, (long) Short.BYTES * count).asShortBuffer().put(values, 0, count);
    }

    /** The values that are there. */
    LongBuffer longs(long offset, long count) {
        return view(offset, Long.BYTES * count).asLongBuffer();
    }

    /** The values that are there. */
    IntBuffer ints(long offset, long count) {
        return view(offset, Integer.BYTES * count).asIntBuffer();
    }

    private ByteBuffer view(long offset, long bytes) {
        return buffer.nioBuffer(offset, Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
    }
}
