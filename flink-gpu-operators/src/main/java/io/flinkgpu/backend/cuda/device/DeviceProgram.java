package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A program on the device, and the slots of the batches under way, of which there may be any number.
 *
 * @param <I> what a slot reads of a batch; valid while that is open
 * @param <S> its slots
 * @param <R> result of a batch
 */
@Internal
public abstract class DeviceProgram<I, S extends BatchSlot, R extends AutoCloseable>
        implements CompiledProgram<R> {

    /** Of the columns of results. */
    protected final BufferAllocator allocator;

    private final SlotPool<S> slots;
    private final CloseStack resources = new CloseStack();

    protected DeviceProgram(SharedDevice device, CudaMemory memory, SlotPool.Source<S> source) {
        allocator = memory.columns();
        slots = new SlotPool<>(device::makeCurrent, source);
    }

    /** Has something closed after the slots. */
    protected final <T extends AutoCloseable> T closeWithProgram(T resource) {
        return resources.push(resource);
    }

    /** What a slot reads of a batch; null if there is nothing to do. */
    protected abstract I read(ColumnBatch batch);

    /** Enqueues all work that does not wait; may be called again, after a failure or later. */
    protected abstract void start(S slot, I input) throws BackendException;

    /**
     * Waits for a batch's work and makes its result.
     *
     * @param columns as in {@link SlotPool.Finish}
     */
    protected abstract R finish(S slot, I input, CloseStack columns) throws BackendException;

    /** Whether the device is done with a batch, or it is not known. */
    protected boolean isDone(S slot) throws BackendException {
        return true;
    }

    /** The result of a batch with which there was nothing to do. */
    protected abstract R nothing(ColumnBatch batch) throws BackendException;

    @Override
    public final Submission<R> submit(ColumnBatch batch) throws BackendException {
        I input = read(batch);
        if (input == null) {
            return () -> awaitNothing(batch);
        }
        S slot = slots.start(idle -> start(idle, input));
        return new Submission<>() {
            @Override
            public R await() throws BackendException {
                return slots.finish(slot, (started, columns) -> finish(started, input, columns));
            }

            @Override
            public boolean isDone() throws BackendException {
                return DeviceProgram.this.isDone(slot);
            }
        };
    }

    private R awaitNothing(ColumnBatch batch) throws BackendException {
        try {
            return nothing(batch);
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    /** Waits for batches that nobody awaited, then frees everything. */
    @Override
    public final void close() {
        resources.push(slots);
        resources.close();
    }
}
