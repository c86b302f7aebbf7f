package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.dense.DenseQueue;
import io.flinkgpu.backend.cuda.dense.DenseRun;
import io.flinkgpu.backend.cuda.dense.DenseWeights;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.UploadedBytes;

import org.apache.arrow.memory.ArrowBuf;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A network on a GPU, and how long it takes for numbers that are there. One thread's. */
public final class DeviceDense implements AutoCloseable {

    private final CloseStack resources = new CloseStack();
    private final CudaBackend backend;
    private final DensePlan plan;
    private final int rows;
    private final DenseRun run;
    private final LookupSlot slot;
    private final ArrowBuf args;
    private final DenseRun.Source source;
    private final DenseRun.Places places;

    /**
     * @param backend stays the caller's
     * @param input rows of the plan's {@code inputWidth}
     */
    public DeviceDense(CudaBackend backend, DensePlan plan, float[][] input)
            throws BackendException {
        this.backend = backend;
        this.plan = plan;
        rows = input.length;
        backend.device().makeCurrent();
        try {
            slot = resources.push(new LookupSlot(backend.device(), backend.memory()));
            DenseWeights weights =
                    new DenseWeights(plan, backend.device().properties().computeCapability());
            UploadedBytes uploaded =
                    resources.push(new UploadedBytes(backend.memory(), weights.toBytes()));
            run = new DenseRun(weights);
            args = resources.push(backend.allocator().buffer(DenseRun.ARGS_BYTES));
            source = new DenseRun.Source(upload(input), plan.inputWidth(), 0, 0);
            places =
                    new DenseRun.Places(
                            uploaded.address(),
                            room(run.inputBytes(rows)),
                            room(Math.max(1, run.workBytes(rows))),
                            room((long) Float.BYTES * rows * plan.outputWidth()));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    private long room(long bytes) throws BackendException {
        LookupQueue.Room room = slot.newRoom();
        room.reserve(bytes);
        return room.address();
    }

    private long upload(float[][] input) throws BackendException {
        long bytes = (long) Float.BYTES * rows * plan.inputWidth();
        long address = room(bytes);
        try (ArrowBuf copy = backend.allocator().buffer(bytes)) {
            for (int i = 0; i < rows * plan.inputWidth(); i++) {
                copy.setFloat(
                        (long) Float.BYTES * i,
                        input[i / plan.inputWidth()][i % plan.inputWidth()]);
            }
            slot.copyToDevice(address, copy.memoryAddress(), bytes);
            slot.await();
        }
        return address;
    }

    /** Nanoseconds of all layers. */
    public long nanos() throws BackendException {
        slot.startKernels();
        run.enqueue(slot, args.memoryAddress(), rows, source, places);
        slot.endKernels();
        slot.await();
        return slot.kernelNanos();
    }

    /** Nanoseconds of each kernel, the launches of it together, with a wait after each launch. */
    public Map<String, Long> steps() throws BackendException {
        Map<String, Long> nanos = new TreeMap<>();
        DenseQueue timed =
                (kernel, shape, structure) -> {
                    slot.startKernels();
                    slot.launch(kernel, shape, structure);
                    slot.endKernels();
                    slot.await();
                    nanos.merge(
                            kernel.name().toLowerCase(Locale.ROOT), slot.kernelNanos(), Long::sum);
                };
        run.enqueue(timed, args.memoryAddress(), rows, source, places);
        return nanos;
    }

    /** What the last run gave, row after row. */
    public float[] outputs() throws BackendException {
        float[] outputs = new float[rows * plan.outputWidth()];
        long bytes = (long) Float.BYTES * outputs.length;
        try (ArrowBuf copy = backend.allocator().buffer(bytes)) {
            slot.copyToHost(copy.memoryAddress(), places.output(), bytes);
            slot.await();
            for (int i = 0; i < outputs.length; i++) {
                outputs[i] = copy.getFloat((long) Float.BYTES * i);
            }
        }
        return outputs;
    }

    @Override
    public void close() {
        resources.close();
    }
}
