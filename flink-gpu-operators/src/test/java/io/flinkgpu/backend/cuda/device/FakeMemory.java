package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.HashMap;
import java.util.Map;

/** Ordinary memory with a limit, in place of the driver's. Thread-safe. */
public final class FakeMemory implements MemorySource {

    private static final long ALIGNMENT_BYTES = 256;

    private final long limitBytes;
    private final Map<Long, Long> blocks = new HashMap<>();
    private long heldBytes;

    public FakeMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    @Override
    public synchronized MemoryBlock allocate(long bytes) throws DeviceOutOfMemoryException {
        if (heldBytes + bytes > limitBytes) {
            throw new DeviceOutOfMemoryException("no fake memory: bytes=" + bytes);
        }
        long block = MemoryUtil.allocateMemory(bytes + ALIGNMENT_BYTES);
        long address = (block + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        blocks.put(address, block);
        heldBytes += bytes;
        return new MemoryBlock(address, bytes, false);
    }

    @Override
    public synchronized void free(MemoryBlock block) {
        heldBytes -= block.bytes();
        MemoryUtil.freeMemory(blocks.remove(block.address()));
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    synchronized int heldBlocks() {
        return blocks.size();
    }
}
