package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseKernel;
import io.flinkgpu.backend.cuda.dense.DenseQueue;
import io.flinkgpu.backend.cuda.dense.DenseStream;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.TransformedBatch;

import java.util.EnumMap;
import java.util.Map;

/** A batch of requests under way; or of changes. */
final class LookupSlot extends BatchSlot implements LookupQueue {

    private static final int CONTROL_BYTES = 256;

    private final Map<LookupKernel, Kernel> kernels = new EnumMap<>(LookupKernel.class);
    private final DenseQueue dense;

    /** Null where changes are applied, like the tables. */
    private LookupRun run;

    private CudaTables tables;

    LookupSlot(SharedDevice device, CudaMemory memory) throws BackendException {
        super(device, memory, CONTROL_BYTES);
        kernels.put(LookupKernel.BAGS, kernel("lookup_bags"));
        kernels.put(LookupKernel.FIND, kernel("lookup_find"));
        kernels.put(LookupKernel.GATHER, kernel("lookup_gather"));
        kernels.put(LookupKernel.WRITE, kernel("lookup_write"));
        kernels.put(LookupKernel.DIRECT, kernel("lookup_direct"));
        kernels.put(LookupKernel.PUT, kernel("lookup_put"));
        kernels.put(LookupKernel.COUNT, kernel("lookup_count"));
        kernels.put(LookupKernel.CHOOSE, kernel("lookup_choose"));
        dense = new DenseStream(stream, this::kernel);
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
    public void zero(long address, long bytes) throws BackendException {
        stream.zero(address, bytes);
    }

    @Override
    public void copyToDevice(long address, long hostAddress, long bytes) throws BackendException {
        stream.copyToDevice(address, hostAddress, bytes);
    }

    @Override
    public void copyToHost(long hostAddress, long address, long bytes) throws BackendException {
        stream.copyToHost(hostAddress, address, bytes);
    }

    @Override
    public void launch(LookupKernel kernel, LaunchConfig shape, long args) throws BackendException {
        stream.launch(kernels.get(kernel), shape, args);
    }

    @Override
    public void launch(DenseKernel kernel, LaunchConfig shape, long args) throws BackendException {
        dense.launch(kernel, shape, args);
    }

    @Override
    public void beginKernels() throws BackendException {
        startKernels();
    }

    @Override
    public void endOfKernels() throws BackendException {
        endKernels();
    }

    @Override
    public void markNumber(long address) throws BackendException {
        putNumber(address);
    }

    @Override
    public void requireNumber(long hostAddress) throws BackendException {
        checkNumber(hostAddress);
    }

    @Override
    public void await() throws BackendException {
        copied.record();
        copied.await();
    }
}
