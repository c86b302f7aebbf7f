package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;

import java.util.HashMap;
import java.util.Map;

/** Books what is taken from a source and proves at the end that all of it came back. */
final class MemoryLedger implements MemorySource, AutoCloseable {

    private final MemorySource source;
    private final Map<Long, Long> held = new HashMap<>();
    private long heldBytes;

    MemoryLedger(MemorySource source) {
        this.source = source;
    }

    @Override
    public String kind() {
        return source.kind();
    }

    @Override
    public long allocate(long bytes) throws BackendException {
        long address = source.allocate(bytes);
        held.put(address, bytes);
        heldBytes += bytes;
        return address;
    }

    /**
     * @throws IllegalStateException if the address is not held
     */
    @Override
    public void free(long address) throws BackendException {
        Long bytes = held.remove(address);
        if (bytes == null) {
            throw new IllegalStateException(
                    "only held memory can be freed: kind="
                            + kind()
                            + ", address=0x"
                            + Long.toHexString(address));
        }
        heldBytes -= bytes;
        source.free(address);
    }

    @Override
    public boolean isLent(long address) {
        return source.isLent(address);
    }

    @Override
    public boolean isWantedByOthers() {
        return source.isWantedByOthers();
    }

    long heldBytes() {
        return heldBytes;
    }

    /**
     * @throws IllegalStateException if memory is still held
     */
    @Override
    public void close() {
        if (!held.isEmpty()) {
            throw new IllegalStateException(
                    kind()
                            + " memory is still held: blocks="
                            + held.size()
                            + ", bytes="
                            + heldBytes
                            + "; close what holds it first");
        }
    }
}
