package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseKernel;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.TransformedBatch;

import java.util.Map;
import java.util.Set;

/** A batch of requests under way; or of changes. */
final class LookupSlot extends BatchSlot implements LookupQueue {

    private static final int CONTROL_BYTES = 256;

    private final Map<LookupKernel, Kernel> kernels;
    private final Map<DenseKernel, Kernel> denseKernels;

    /** Null where changes are applied, like the tables. */
    private LookupRun run;

    private CudaTables tables;

    LookupSlot(SharedDevice device, CudaMemory memory) throws BackendException {
        super(device, memory, CONTROL_BYTES);
        kernels = kernels(LookupKernel.class, "lookup_", Set.of());
        denseKernels = kernels(DenseKernel.class, "dense_", Set.of(DenseKernel.FAST));
    }

    /**
     * One for batches of requests.
     *
     * @param model reads what is looked up; null if there is none
     */
    static LookupSlot of(
            SharedDevice device, CudaMemory memory, CudaTables tables, DeviceModel model)
            throws BackendException {
        LookupSlot slot = new LookupSlot(device, memory);
        try {
            DeviceScorer scorer =
                    model == null ? null : new DeviceScorer(slot, model, memory.columns());
            slot.run =
                    new LookupRun(
                            slot,
                            tables.tables(),
                            device.properties().multiprocessors(),
                            memory.columns(),
                            scorer);
            slot.closeWithSlot(slot.run);
            slot.tables = tables;
            tables.readBy(slot.copied);
            return slot;
        } catch (RuntimeException | Error e) {
            slot.close();
            throw e;
        }
    }

    /** Enqueues the lookup. */
    void lookUp(LookupInput input) throws BackendException {
        tables.beforeBatch();
        run.start(input);
        copied.record();
    }

    /** Waits for the lookup. */
    TransformedBatch found(CloseStack columns) throws BackendException {
        copied.await();
        long nanos = kernelNanos();
        return new TransformedBatch(run.finish(columns), nanos);
    }

    @Override
    public Room newRoom() {
        DeviceBuffer buffer = newDeviceBuffer();
        return new Room() {
            @Override
            public boolean reserve(long bytes) throws BackendException {
                boolean isOther = buffer.capacityBytes() < bytes;
                buffer.reserve(bytes);
                return isOther;
            }

            @Override
            public long address() {
                return buffer.address();
            }
        };
    }

    @Override
    public void launch(LookupKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(kernels.get(kernel), shape, args);
    }

    @Override
    public void launch(DenseKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(denseKernels.get(kernel), shape, args);
    }
}
