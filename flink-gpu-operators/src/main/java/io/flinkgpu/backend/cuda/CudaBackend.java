package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
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
import io.flinkgpu.backend.cuda.lookup.CudaEmbeddings;
import io.flinkgpu.backend.cuda.redact.CudaRedaction;
import io.flinkgpu.backend.cuda.search.CudaSearch;
import io.flinkgpu.backend.cuda.transform.CudaTransform;
import io.flinkgpu.backend.cuda.transform.NumberedPasses;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.steps.Steps;
import io.flinkgpu.backend.views.ViewedRedaction;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs plans on one GPU. Columns are built in memory that is taken when the backend opens, and pinned
 * where batches use it, so that only the backend thread ever calls CUDA.
 */
@Internal
public final class CudaBackend implements Backend {

    private static final long MAX_SLAB_BYTES = 1L << 30;

    private final CloseStack resources = new CloseStack();
    private final SharedDevice device;
    private final CudaMemory memory;
    private final Placement placement;
    private final Engines engines;

    private CudaBackend(CudaDevice properties, OpenRequest request) throws BackendException {
        device = Devices.get(properties.ordinal());
        device.enter(properties);
        try {
            resources.push(device::leave);
            long limitBytes = request.memoryLimitBytes();
            PinnedMemory pinned = new PinnedMemory();
            DeviceBudget.Share share =
                    resources.push(device.join(DeviceMemory.freeBytes(), new DeviceMemory()));
            PinnedArena arena = resources.push(new PinnedArena(pinned, limitBytes, MAX_SLAB_BYTES));
            BufferAllocator columns =
                    resources.push(PinnedAllocationManager.newAllocator(arena, limitBytes));
            memory = new CudaMemory(share, share.kept(), pinned, columns, new AtomicLong());
            placement =
                    new Placement(
                            Placement.Kind.CUDA,
                            properties.ordinal(),
                            properties.name(),
                            request.sharers(CudaProbe.deviceCount()));
            engines = engines(request.hashKey());
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    private Engines engines(byte[] hashKey) {
        return Engines.of(
                        RedactPlan.class,
                        plan ->
                                ViewedRedaction.compile(
                                        plan,
                                        memory.columns(),
                                        hashKey,
                                        rules -> new CudaRedaction(device, memory, rules, hashKey)))
                .and(
                        AggregatePlan.class,
                        plan -> new CudaAggregation(device, memory, AggregateArgs.of(plan)))
                .and(LinePlan.class, plan -> CudaLines.of(device, memory, plan))
                .and(
                        PassPlan.class,
                        plan -> new CudaTransform(device, memory, new NumberedPasses(plan)))
                .and(EmbeddingPlan.class, plan -> CudaEmbeddings.of(device, memory, plan))
                .and(ScorePlan.class, plan -> CudaEmbeddings.of(device, memory, plan))
                .and(SearchPlan.class, plan -> CudaSearch.of(device, memory, plan))
                .and(
                        TransformPlan.class,
                        plan -> Steps.compile(this, plan, hashKey, rows -> Optional.empty()));
    }

    /**
     * Opens a backend. Takes up to 0.4 s for the first of a process on its device, whose context stays.
     * What batches use of the limit is pinned when they use it first.
     *
     * @return the backend; the caller closes it
     * @throws BackendException with the reason in one line when there is no driver, no device, no
     *     kernels for it, or no memory
     */
    public static CudaBackend open(OpenRequest request) throws BackendException {
        return new CudaBackend(CudaProbe.probe(request), request);
    }

    @Override
    public Placement placement() {
        return placement;
    }

    @Override
    public BufferAllocator allocator() {
        return memory.columns();
    }

    @Override
    public long linkNanos() {
        return memory.linkNanos().get();
    }

    /** The device that programs run on. */
    public SharedDevice device() {
        return device;
    }

    /** Where programs take memory from. */
    public CudaMemory memory() {
        return memory;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        device.makeCurrent();
        return engines.compile(plan, placement);
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
