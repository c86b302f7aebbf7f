package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.aggregate.AggregateArgs;
import io.flinkgpu.backend.cuda.aggregate.CudaAggregation;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaDevice;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.CudaProbe;
import io.flinkgpu.backend.cuda.device.DeviceBudget;
import io.flinkgpu.backend.cuda.device.DeviceMemory;
import io.flinkgpu.backend.cuda.device.Devices;
import io.flinkgpu.backend.cuda.device.PinnedAllocationManager;
import io.flinkgpu.backend.cuda.device.PinnedArena;
import io.flinkgpu.backend.cuda.device.PinnedMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.lines.CudaLines;
import io.flinkgpu.backend.cuda.lines.LinesArgs;
import io.flinkgpu.backend.cuda.redact.CudaRedaction;
import io.flinkgpu.backend.cuda.transform.CudaTransform;
import io.flinkgpu.backend.cuda.transform.TransformPlan;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.backend.steps.Steps;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;

import java.security.SecureRandom;

/**
 * Runs programs on one GPU. Columns are built in memory that is taken when the backend opens, and pinned
 * where batches use it, so that only the backend thread ever calls CUDA.
 */
public final class CudaBackend implements Backend {

    private static final long MAX_SLAB_BYTES = 1L << 30;

    private final CloseStack resources = new CloseStack();
    private final SharedDevice device;
    private final CudaMemory memory;

    private CudaBackend(CudaDevice properties, long memoryLimitBytes) throws BackendException {
        device = Devices.get(properties.ordinal());
        device.enter(properties);
        try {
            resources.push(device::leave);
            PinnedMemory pinned = new PinnedMemory();
            DeviceBudget.Share share =
                    resources.push(device.join(DeviceMemory.freeBytes(), new DeviceMemory()));
            PinnedArena arena =
                    resources.push(new PinnedArena(pinned, memoryLimitBytes, MAX_SLAB_BYTES));
            BufferAllocator columns =
                    resources.push(PinnedAllocationManager.newAllocator(arena, memoryLimitBytes));
            memory = new CudaMemory(share, share.kept(), pinned, columns);
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Opens a backend. Takes up to 0.4 s for the first of a process on its device, whose context stays. What batches use of the
     * limit is pinned when they use it first.
     *
     * @param memoryLimitBytes the most bytes its columns may take
     * @param deviceSlot any number from 0; spreads subtasks over the devices
     * @return the backend; the caller closes it
     * @throws BackendException with the reason in one line when there is no driver, no device, no
     *     kernels for it, or no memory
     */
    public static CudaBackend open(long memoryLimitBytes, int deviceSlot) throws BackendException {
        return new CudaBackend(CudaProbe.probe(deviceSlot), memoryLimitBytes);
    }

    @Override
    public String description() {
        CudaDevice properties = device.properties();
        return "cuda:" + properties.ordinal() + " (" + properties.name() + ")";
    }

    @Override
    public boolean isGpu() {
        return true;
    }

    @Override
    public boolean findsLines() {
        return true;
    }

    @Override
    public int devices() throws BackendException {
        return CudaProbe.deviceCount();
    }

    @Override
    public BufferAllocator allocator() {
        return memory.columns();
    }

    public CudaMemory memory() {
        return memory;
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        device.makeCurrent();
        return new CudaRedaction(device, memory, rules, hashKey);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) {
        SecureRandom random = new SecureRandom();
        return compile(new AggregateArgs(plan, random.nextLong(), random.nextLong(), -1));
    }

    public CompiledProgram<GroupedBatch> compile(AggregateArgs args) {
        return new CudaAggregation(device, memory, args);
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        SecureRandom random = new SecureRandom();
        return compile(new LinesArgs(plan, random.nextLong(), random.nextLong(), -1));
    }

    public CompiledProgram<LineGroups> compile(LinesArgs args) {
        return new CudaLines(device, memory, args);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return compile(new TransformPlan(plan));
    }

    CudaTransform compile(TransformPlan plan) throws BackendException {
        device.makeCurrent();
        return new CudaTransform(device, memory, plan);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return Steps.compile(this, program, hashKey);
    }

    @Override
    public void close() {
        try {
            device.makeCurrent();
        } catch (BackendException e) {
            resources.closeAfter(e);
            throw new IllegalStateException(e.getMessage(), e);
        }
        resources.close();
    }
}
