package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.HashMap;
import java.util.Map;

/** Ordinary memory with a limit, in place of the driver's. Thread-safe. */
final class FakeMemory implements MemorySource {

    private static final long ALIGNMENT_BYTES = 256;

    private final long limitBytes;
    private final Map<Long, Long> blocks = new HashMap<>();
    private final Map<Long, Long> sizes = new HashMap<>();
    private long heldBytes;

    FakeMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    @Override
    public String kind() {
        return "fake";
    }

    @Override
    public synchronized long allocate(long bytes) throws DeviceOutOfMemoryException {
        if (heldBytes + bytes > limitBytes) {
            throw new DeviceOutOfMemoryException("no fake memory: bytes=" + bytes);
        }
        long block = MemoryUtil.allocateMemory(bytes + ALIGNMENT_BYTES);
        long address = (block + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        blocks.put(address, block);
        sizes.put(address, bytes);
        heldBytes += bytes;
        return address;
    }

    @Override
    public synchronized void free(long address) {
        heldBytes -= sizes.remove(address);
        MemoryUtil.freeMemory(blocks.remove(address));
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    synchronized int heldBlocks() {
        return blocks.size();
    }
}
