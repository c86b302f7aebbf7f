package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.flink.annotation.Internal;

/** Device memory for what a program keeps. Whoever asked for it closes it. */
@Internal
public final class ResidentMemory implements AutoCloseable {

    private final long address;
    private final CloseStack resources = new CloseStack();

    /**
     * @param budget gives it back to itself
     */
    ResidentMemory(MemorySource device, long bytes, AutoCloseable budget) throws BackendException {
        resources.push(budget);
        try {
            MemoryBlock block = device.allocate(bytes);
            address = block.address();
            resources.push(() -> device.free(block));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** Where it starts. */
    public long address() {
        return address;
    }

    @Override
    public void close() {
        resources.close();
    }
}
