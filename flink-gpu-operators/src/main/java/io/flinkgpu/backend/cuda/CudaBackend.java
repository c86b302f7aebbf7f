package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.aggregate.AggregateArgs;
import io.flinkgpu.backend.cuda.aggregate.CudaAggregation;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaContext;
import io.flinkgpu.backend.cuda.device.CudaDevice;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.CudaProbe;
import io.flinkgpu.backend.cuda.device.DeviceBudget;
import io.flinkgpu.backend.cuda.device.DeviceMemory;
import io.flinkgpu.backend.cuda.device.KernelModule;
import io.flinkgpu.backend.cuda.device.PinnedAllocationManager;
import io.flinkgpu.backend.cuda.device.PinnedArena;
import io.flinkgpu.backend.cuda.device.PinnedMemory;
import io.flinkgpu.backend.cuda.device.SharedByKey;
import io.flinkgpu.backend.cuda.device.SpareCores;
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

    private static final SharedByKey<Integer, KernelModule> KERNELS = new SharedByKey<>();

    private static final long MAX_SLAB_BYTES = 1L << 30;

    private final CloseStack resources = new CloseStack();
    private final CudaContext context;
    private final KernelModule kernels;
    private final CudaMemory memory;
    private final BufferAllocator allocator;

    private CudaBackend(CudaDevice device, long memoryLimitBytes) throws BackendException {
        try {
            resources.push(SpareCores.OF_PROCESS.enter());
            context = resources.push(new CudaContext(device));
            context.makeCurrent();
            kernels =
                    resources
                            .push(KERNELS.hold(device.ordinal(), () -> new KernelModule(device)))
                            .get();
            PinnedMemory pinned = new PinnedMemory();
            DeviceBudget.Share share =
                    resources.push(
                            DeviceBudget.join(
                                    device.ordinal(),
                                    DeviceMemory.freeBytes(),
                                    new DeviceMemory()));
            memory = new CudaMemory(share, share.kept(), pinned);
            PinnedArena arena =
                    resources.push(new PinnedArena(pinned, memoryLimitBytes, MAX_SLAB_BYTES));
            allocator =
                    resources.push(PinnedAllocationManager.newAllocator(arena, memoryLimitBytes));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Opens a backend. Takes about 0.4 s for the first context of a process. What batches use of the
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
        CudaDevice device = context.device();
        return "cuda:" + device.ordinal() + " (" + device.name() + ")";
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
        return allocator;
    }

    public CudaMemory memory() {
        return memory;
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        context.makeCurrent();
        return new CudaRedaction(context, kernels, memory, allocator, rules, hashKey);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) {
        SecureRandom random = new SecureRandom();
        return compile(new AggregateArgs(plan, random.nextLong(), random.nextLong(), -1));
    }

    public CompiledProgram<GroupedBatch> compile(AggregateArgs args) {
        return new CudaAggregation(context, kernels, memory, allocator, args);
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        SecureRandom random = new SecureRandom();
        return compile(new LinesArgs(plan, random.nextLong(), random.nextLong(), -1));
    }

    public CompiledProgram<LineGroups> compile(LinesArgs args) {
        return new CudaLines(context, kernels, memory, allocator, args);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return compile(new TransformPlan(plan));
    }

    CudaTransform compile(TransformPlan plan) throws BackendException {
        context.makeCurrent();
        return new CudaTransform(context, kernels, memory, allocator, plan);
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return Steps.compile(this, program, hashKey);
    }

    @Override
    public void close() {
        try {
            context.makeCurrent();
        } catch (BackendException e) {
            resources.closeAfter(e);
            throw new IllegalStateException(e.getMessage(), e);
        }
        resources.close();
    }
}
