package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

/**
 * Device memory that grows with the batches and is reused between them. The caller closes it, and
 * only grows it when nothing on the device uses it.
 */
@Internal
public final class DeviceBuffer implements AutoCloseable {

    private static final long ALIGNMENT_BYTES = 256;

    private final MemorySource memory;

    /** Null: there is none. */
    private MemoryBlock block;

    DeviceBuffer(MemorySource memory) {
        this.memory = memory;
    }

    /** The start of the memory; 0 while there is none. */
    public long address() {
        return block == null ? 0 : block.address();
    }

    public long capacityBytes() {
        return block == null ? 0 : block.bytes();
    }

    /** Whether there is memory that is only lent. */
    boolean isLent() {
        return block != null && block.isLent();
    }

    /**
     * Makes room for {@code bytes}. What was in the buffer is lost if it grows; if there is no memory
     * it is empty afterwards.
     */
    public void reserve(long bytes) throws BackendException {
        if (bytes <= capacityBytes()) {
            return;
        }
        close();
        // An eighth more: batches of nearly the same size then fit without another allocation.
        long rounded = (bytes + bytes / 8 + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        block = memory.allocate(rounded);
    }

    /** Gives memory back that is only lent. */
    void closeIfLent() throws BackendException {
        if (isLent()) {
            close();
        }
    }

    @Override
    public void close() throws BackendException {
        if (block != null) {
            MemoryBlock freed = block;
            block = null;
            memory.free(freed);
        }
    }
}
