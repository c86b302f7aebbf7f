package io.flinkgpu.backend.cuda.search;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

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

    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
    }
}
