package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The slots of a program's batches. There are as many as batches were under way at a time; from the
 * third on the link and the device are busy. The caller closes it.
 */
final class SlotPool<S extends BatchSlot> implements AutoCloseable {

    /** Makes a slot. */
    @FunctionalInterface
    interface Source<S> {
        S open() throws BackendException;
    }

    /** Enqueues a batch's work. */
    @FunctionalInterface
    interface Start<S> {
        void start(S slot) throws BackendException;
    }

    /** Waits for a batch's work. */
    @FunctionalInterface
    interface Finish<S, R> {
        R finish(S slot) throws BackendException;
    }

    private final Source<S> source;
    private final CloseStack slots = new CloseStack();
    private final Deque<S> idle = new ArrayDeque<>();
    private final Deque<S> busy = new ArrayDeque<>();

    SlotPool(Source<S> source) {
        this.source = source;
    }

    /** Starts a batch in an idle slot, which stays busy until {@link #finish}. */
    S start(Start<S> work) throws BackendException {
        S slot = idle.isEmpty() ? open() : idle.pop();
        busy.add(slot);
        try {
            work.start(slot);
        } catch (OutOfMemoryException e) {
            DeviceOutOfMemoryException failure = CudaCheck.outOfPinnedMemory(e);
            releaseAfter(slot, failure);
            throw failure;
        } catch (BackendException | RuntimeException e) {
            releaseAfter(slot, e);
            throw e;
        }
        return slot;
    }

    /** Finishes a slot's batch; the slot is idle afterwards, also after a failure. */
    <R> R finish(S slot, Finish<S, R> work) throws BackendException {
        R result;
        try {
            result = work.finish(slot);
        } catch (OutOfMemoryException e) {
            DeviceOutOfMemoryException failure = CudaCheck.outOfPinnedMemory(e);
            releaseAfter(slot, failure);
            throw failure;
        } catch (BackendException | RuntimeException e) {
            releaseAfter(slot, e);
            throw e;
        }
        slot.drain();
        release(slot);
        return result;
    }

    private S open() throws BackendException {
        try {
            return slots.push(source.open());
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    private void release(S slot) {
        busy.remove(slot);
        idle.push(slot);
    }

    /** A slot whose work failed half way must not be reused before the device is done with it. */
    private void releaseAfter(S slot, Exception cause) {
        slot.drainAfter(cause);
        release(slot);
    }

    /** Waits for batches that nobody finished, then closes all slots. */
    @Override
    public void close() {
        try {
            for (S slot : busy) {
                slot.drain();
            }
        } catch (BackendException e) {
            slots.closeAfter(e);
            throw new IllegalStateException(e.getMessage(), e);
        }
        busy.clear();
        idle.clear();
        slots.close();
    }
}
