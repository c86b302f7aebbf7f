package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;

/**
 * The memory of a device for what stays as long as a program, and may be of several subtasks. Nobody waits
 * for it: what is more than there is left is refused. Thread-safe.
 */
final class KeptMemory {

    private final int ordinal;
    private final long limitBytes;
    private long heldBytes;

    KeptMemory(int ordinal, long limitBytes) {
        this.ordinal = ordinal;
        this.limitBytes = limitBytes;
    }

    /**
     * A way to take it.
     *
     * @param device takes and gives back the memory, on any thread
     */
    MemorySource of(MemorySource device) {
        return new Source(device);
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    private synchronized void take(long bytes) throws DeviceOutOfMemoryException {
        if (heldBytes + bytes > limitBytes) {
            throw new DeviceOutOfMemoryException(
                    "the tables of all programs need more device memory than they may take: bytes="
                            + bytes
                            + ", heldBytes="
                            + heldBytes
                            + ", limitBytes="
                            + limitBytes
                            + ", device="
                            + ordinal
                            + "; use fewer or simpler rules, or fewer jobs in the process");
        }
        heldBytes += bytes;
    }

    private synchronized void giveBack(long bytes) {
        heldBytes -= bytes;
    }

    private final class Source implements MemorySource {

        private final MemorySource device;

        Source(MemorySource device) {
            this.device = device;
        }

        @Override
        public MemoryBlock allocate(long bytes) throws BackendException {
            take(bytes);
            try {
                return device.allocate(bytes);
            } catch (BackendException | RuntimeException | Error e) {
                giveBack(bytes);
                throw e;
            }
        }

        @Override
        public void free(MemoryBlock block) throws BackendException {
            try {
                device.free(block);
            } finally {
                giveBack(block.bytes());
            }
        }
    }
}
