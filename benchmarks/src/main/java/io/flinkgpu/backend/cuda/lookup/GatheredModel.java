package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.dense.DenseRun;
import io.flinkgpu.backend.cuda.dense.DenseWeights;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.UploadedBytes;

import org.apache.arrow.memory.ArrowBuf;

/** A model on a GPU whose numbers are gathered on the host: they are copied there, and scores back. One thread's. */
public final class GatheredModel implements AutoCloseable {

    private final CloseStack resources = new CloseStack();
    private final CudaBackend backend;
    private final DensePlan plan;
    private final DenseRun run;
    private final LookupSlot slot;
    private final ArrowBuf args;
    private final ArrowBuf input;
    private final ArrowBuf scores;
    private final DenseRun.Source source;
    private final DenseRun.Places places;

    /**
     * @param backend stays the caller's
     * @param plan gives a number for a row
     * @param mostRows of a batch
     */
    public GatheredModel(CudaBackend backend, DensePlan plan, int mostRows)
            throws BackendException {
        this.backend = backend;
        this.plan = plan;
        backend.device().makeCurrent();
        try {
            slot = resources.push(new LookupSlot(backend.device(), backend.memory()));
            DenseWeights weights =
                    new DenseWeights(plan, backend.device().properties().computeCapability());
            UploadedBytes uploaded =
                    resources.push(new UploadedBytes(backend.memory(), weights.toBytes()));
            run = new DenseRun(weights);
            args = resources.push(backend.allocator().buffer(DenseRun.ARGS_BYTES));
            input = resources.push(backend.allocator().buffer(inputBytes(mostRows)));
            scores = resources.push(backend.allocator().buffer((long) Float.BYTES * mostRows));
            resources.push(slot::drain);
            source = new DenseRun.Source(room(inputBytes(mostRows)), plan.inputWidth(), 0, 0);
            places =
                    new DenseRun.Places(
                            uploaded.address(),
                            room(run.inputBytes(mostRows)),
                            room(Math.max(1, run.workBytes(mostRows))),
                            room((long) Float.BYTES * mostRows));
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    private long inputBytes(int rows) {
        return (long) Float.BYTES * rows * plan.inputWidth();
    }

    private long room(long bytes) throws BackendException {
        LookupQueue.Room room = slot.newRoom();
        room.reserve(bytes);
        return room.address();
    }

    /** Where the numbers of a batch go in host memory, row after row without gaps. */
    public long inputAddress() {
        return input.memoryAddress();
    }

    /** Scores the rows whose numbers are at {@link #inputAddress()}, and waits for that. */
    public void score(int rows) throws BackendException {
        backend.device().makeCurrent();
        slot.copyToDevice(source.first(), input.memoryAddress(), inputBytes(rows));
        run.enqueue(slot, args.memoryAddress(), rows, source, places);
        slot.copyToHost(scores.memoryAddress(), places.output(), (long) Float.BYTES * rows);
        slot.await();
    }

    /** Of a row of the last batch. */
    public float score(long row) {
        return scores.getFloat(Float.BYTES * row);
    }

    @Override
    public void close() {
        resources.close();
    }
}
