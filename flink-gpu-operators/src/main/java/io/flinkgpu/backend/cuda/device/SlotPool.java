package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The slots of a program's batches. There are as many as batches were under way at a time; from the
 * third on the link and the device are busy.
 *
 * <p>A batch that had better not start yet is put off until it is awaited, when those before it are done:
 * if other subtasks wait for memory that is lent to those under way, and if there is none left for it beside
 * them. Those after it are put off too. A batch that was put off has no memory that is lent. The caller
 * closes the pool.
 *
 * <p>Every method makes the device usable for its thread first.
 */
@Internal
public final class SlotPool<S extends SlotPool.Slot> implements AutoCloseable {

    /** What a batch needs on the device. */
    interface Slot extends AutoCloseable {

        /** Waits until the device does nothing for this slot any more; it has no columns of a result then. */
        void drain() throws BackendException;

        /** Gives device memory back that is only lent; the device is done with the slot. */
        void giveBackLent() throws BackendException;

        /** Whether other subtasks wait for device memory that is lent to this one. */
        boolean isLentMemoryWanted();

        @Override
        void close() throws BackendException;
    }

    /** Lets the calling thread use the device. */
    @FunctionalInterface
    public interface Device {
        void makeCurrent() throws BackendException;
    }

    /** Makes a slot. */
    @FunctionalInterface
    public interface Source<S> {
        S open() throws BackendException;
    }

    /** Enqueues a batch's work. */
    @FunctionalInterface
    public interface Start<S> {
        void start(S slot) throws BackendException;
    }

    /** Waits for a batch's work and makes its result. */
    @FunctionalInterface
    public interface Finish<S, R> {

        /**
         * @param columns takes over what the device writes to and the result has holds of its own on: the
         *     pool closes it when the device is done with the slot, whatever fails
         */
        R finish(S slot, CloseStack columns) throws BackendException;
    }

    private final Device device;
    private final Source<S> source;
    private final CloseStack slots = new CloseStack();
    private final Deque<S> idle = new ArrayDeque<>();
    private final Deque<S> busy = new ArrayDeque<>();

    /** Batches that were put off, in their order, and their work. */
    private final Map<S, Start<S>> waiting = new LinkedHashMap<>();

    public SlotPool(Device device, Source<S> source) {
        this.device = device;
        this.source = source;
    }

    /**
     * Starts a batch in an idle slot, which stays busy until {@link #finish}.
     *
     * @param work may be called again, after a failure or later, until then
     */
    public S start(Start<S> work) throws BackendException {
        device.makeCurrent();
        S slot = idle.isEmpty() ? open() : idle.pop();
        if (!waiting.isEmpty() || !canBegin(slot, work)) {
            slot.giveBackLent();
            giveBackLentOfIdle();
            waiting.put(slot, work);
        }
        return slot;
    }

    /** Begins a batch beside others unless it had better wait for them. */
    private boolean canBegin(S slot, Start<S> work) throws BackendException {
        if (!busy.isEmpty() && slot.isLentMemoryWanted()) {
            return false;
        }
        try {
            begin(slot, work);
            return true;
        } catch (DeviceOutOfMemoryException e) {
            if (busy.isEmpty()) {
                throw e;
            }
            takeBack(slot);
            return false;
        }
    }

    /** Begins the waiting batches that can begin, now that one ended. */
    private void beginWaiting() throws BackendException {
        for (S next = firstWaiting(); next != null; next = firstWaiting()) {
            try {
                if (!canBegin(next, waiting.get(next))) {
                    return;
                }
            } catch (BackendException | RuntimeException | Error e) {
                // It is tried again, and fails, when it is awaited.
                takeBack(next);
                return;
            }
            waiting.remove(next);
        }
    }

    /** Keeps a slot that could not begin for its batch, without memory that others want. */
    private void takeBack(S slot) throws BackendException {
        idle.remove(slot);
        slot.giveBackLent();
    }

    private S firstWaiting() {
        return waiting.isEmpty() ? null : waiting.keySet().iterator().next();
    }

    private void begin(S slot, Start<S> work) throws BackendException {
        busy.add(slot);
        try {
            work.start(slot);
        } catch (OutOfMemoryException e) {
            DeviceOutOfMemoryException failure = CudaCheck.outOfPinnedMemory(e);
            releaseAfter(slot, failure);
            throw failure;
        } catch (BackendException | RuntimeException | Error e) {
            releaseAfter(slot, e);
            throw e;
        }
    }

    /** Finishes a slot's batch; the slot is idle afterwards, also after a failure. */
    public <R extends AutoCloseable> R finish(S slot, Finish<S, R> work) throws BackendException {
        device.makeCurrent();
        Start<S> putOff = waiting.remove(slot);
        if (putOff != null) {
            begin(slot, putOff);
        }
        CloseStack columns = new CloseStack();
        CloseStack notReturned = new CloseStack();
        try {
            if (putOff != null) {
                beginWaiting();
            }
            R result = notReturned.push(work.finish(slot, columns));
            slot.drain();
            release(slot);
            columns.close();
            return result;
        } catch (OutOfMemoryException e) {
            DeviceOutOfMemoryException failure = CudaCheck.outOfPinnedMemory(e);
            releaseAfter(slot, failure);
            columns.closeAfter(failure);
            throw failure;
        } catch (BackendException | RuntimeException | Error e) {
            releaseAfter(slot, e);
            notReturned.closeAfter(e);
            columns.closeAfter(e);
            throw e;
        }
    }

    private S open() throws BackendException {
        try {
            return slots.push(source.open());
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    private void release(S slot) throws BackendException {
        if (busy.remove(slot)) {
            idle.push(slot);
        }
        if (busy.isEmpty() || slot.isLentMemoryWanted()) {
            giveBackLentOfIdle();
        }
    }

    /** Other subtasks' batches wait for the memory lent to this one's. */
    private void giveBackLentOfIdle() throws BackendException {
        for (S unused : idle) {
            unused.giveBackLent();
        }
    }

    /** A slot whose work failed half way must not be reused before the device is done with it. */
    private void releaseAfter(S slot, Throwable cause) {
        try {
            slot.drain();
        } catch (BackendException e) {
            cause.addSuppressed(e);
        }
        try {
            release(slot);
        } catch (BackendException e) {
            cause.addSuppressed(e);
        }
    }

    /** Waits for batches that nobody finished, then closes all slots. */
    @Override
    public void close() {
        // What is pushed last is closed first.
        for (S slot : busy) {
            slots.push(slot::drain);
        }
        slots.push(device::makeCurrent);
        busy.clear();
        idle.clear();
        waiting.clear();
        slots.close();
    }
}
