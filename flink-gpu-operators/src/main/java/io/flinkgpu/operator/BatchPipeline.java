package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.OutOfMemoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of an operator that calls the backend. Batches run in the order they were submitted,
 * up to {@link #MAX_RUNNING} of them at a time; each leaves a result or a failure in its ticket. A
 * batch there is no memory for is repeated when all before it was emitted, in parts, each of which is
 * emitted before the next is computed. The thread owns the batches it was given, and gives everything
 * back before it ends, whatever happened.
 *
 * <p>The methods are the task thread's.
 *
 * @param <R> result of a batch
 */
final class BatchPipeline<R extends AutoCloseable> {

    /** One batch copied to the device, one computed, one copied back. */
    static final int MAX_RUNNING = 3;

    /** How often a batch under way is asked whether it is done, where others may join it meanwhile. */
    private static final long POLL_NANOS = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(BatchPipeline.class);

    private final BatchProgram<R> program;
    private final Runnable onDone;
    private final Thread thread;
    private final BlockingQueue<Job<R>> submitted = new LinkedBlockingQueue<>();
    private final ArrayDeque<Job<R>> running = new ArrayDeque<>();
    private final CompletableFuture<Backend> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final List<Job<R>> leftOver = new ArrayList<>();
    private final Object stopLock = new Object();
    private BatchTicket<R> lastSettled = new BatchTicket<>();
    private Throwable broken;
    private volatile boolean stopping;

    /**
     * @param threadName for thread dumps
     * @param classLoader of the user's code, for what the backend loads
     * @param onDone called by the pipeline's thread after each batch, and each part of a batch
     */
    BatchPipeline(
            String threadName, ClassLoader classLoader, BatchProgram<R> program, Runnable onDone) {
        this.program = program;
        this.onDone = onDone;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        thread.setContextClassLoader(classLoader);
    }

    /** Starts the thread and waits until it has opened the backend. */
    Backend open() throws Exception {
        thread.start();
        try {
            return opened.get();
        } catch (ExecutionException e) {
            ProcessFailures.rethrow(e.getCause());
            throw (Exception) e.getCause();
        }
    }

    /** Gives the pipeline a batch, which is the pipeline's from here on. Does not wait. */
    BatchTicket<R> submit(ColumnBatch batch) {
        return submit(batch, false);
    }

    /** Gives the pipeline changes of what is resident, likewise; the ticket never gets a result. */
    BatchTicket<R> submitChanges(ColumnBatch changes) {
        return submit(changes, true);
    }

    private BatchTicket<R> submit(ColumnBatch batch, boolean changes) {
        BatchTicket<R> ticket = new BatchTicket<>();
        submitted.add(new Job<>(batch, ticket, changes));
        return ticket;
    }

    /**
     * Ends the thread, interrupting what it works on. Every ticket must be taken or abandoned before. If
     * it still works after the timeout, that is logged and not thrown: Flink ends the process, and all
     * jobs in it, if a task that is cancelled does not close. The thread gives its memory back once it is
     * done.
     */
    void close(Duration timeout) throws Exception {
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        synchronized (stopLock) {
            stopping = true;
            submitted.add(Job.wakeUp());
            thread.interrupt();
        }
        thread.join(timeout.toMillis());
        if (thread.isAlive()) {
            LOG.error(
                    "a batch was not done before the operator closed: waitedMillis={}, thread={};"
                            + " restart the TaskManager if the thread does not end",
                    timeout.toMillis(),
                    thread.getName());
            return;
        }
        try {
            closed.get();
        } catch (ExecutionException e) {
            ProcessFailures.rethrow(e.getCause());
            throw (Exception) e.getCause();
        }
    }

    private void run() {
        try {
            opened.complete(program.open());
            while (!stopping) {
                step();
            }
        } catch (Throwable t) {
            opened.completeExceptionally(t);
        }
        // What is left to do is done to its end. With the lock the interrupt has come.
        synchronized (stopLock) {
            Thread.interrupted();
        }
        try {
            closeAll();
            closed.complete(null);
        } catch (Throwable t) {
            closed.completeExceptionally(t);
        }
    }

    private void step() {
        try {
            Job<R> next = next();
            if (next != null && next.batch != null) {
                start(next);
            }
            if (running.size() == MAX_RUNNING || next == null && !running.isEmpty()) {
                finishOldest();
            }
        } catch (Throwable t) {
            // Nothing is lost silently: this batch and every later one fails, and so does the task.
            broken = t;
            failRunning(t);
        }
    }

    /** What came while the oldest batch is under way; null if that is done, or may be, and nothing came. */
    private Job<R> next() throws Exception {
        if (running.isEmpty()) {
            return submitted.take();
        }
        Job<R> next = submitted.poll();
        while (next == null && !isOldestDone()) {
            next = submitted.poll(POLL_NANOS, TimeUnit.NANOSECONDS);
        }
        return next;
    }

    private boolean isOldestDone() throws BackendException {
        Job<R> oldest = running.peek();
        return oldest.work == null || oldest.work.isDone();
    }

    private void start(Job<R> job) throws Exception {
        if (job.changes) {
            apply(job);
            return;
        }
        running.add(job);
        if (broken != null) {
            job.failure = broken;
            return;
        }
        try {
            job.work = program.submit(job.batch);
        } catch (DeviceOutOfMemoryException | OutOfMemoryException e) {
            job.outOfMemory = true;
            finishAllInParts();
        } catch (Throwable t) {
            job.failure = t;
        }
    }

    /** Changes what is resident, once all batches before are done unless they may be under way. */
    private void apply(Job<R> job) throws Exception {
        try {
            while (!running.isEmpty() && !program.changesBesideBatches()) {
                finishOldest();
            }
        } finally {
            // If one before it fails all, it is one of them.
            running.add(job);
        }
        try {
            if (broken == null) {
                program.apply(job.batch);
            }
        } catch (Throwable t) {
            // What is resident now is not known.
            broken = t;
        }
        job.failure = broken;
        // Those before it are settled first.
        if (running.peek() == job) {
            settle(job);
        }
    }

    private void finishOldest() throws Exception {
        Job<R> job = running.peek();
        await(job);
        if (job.outOfMemory) {
            finishAllInParts();
        } else {
            settle(job);
        }
    }

    /**
     * Repeats what failed for lack of memory, alone: lets the device come to rest, drops the results
     * behind it, which are in its way, and has those before it emitted first.
     */
    private void finishAllInParts() throws Exception {
        boolean again = false;
        for (Job<R> job : running) {
            await(job);
            again |= job.outOfMemory;
            job.outOfMemory = again && job.failure == null && !job.changes;
            if (job.outOfMemory && job.result != null) {
                job.result.close();
                job.result = null;
            }
        }
        while (!running.isEmpty()) {
            Job<R> job = running.peek();
            if (job.outOfMemory) {
                try {
                    requireWanted(lastSettled);
                    program.runInParts(job.batch, part -> emitPart(job, part));
                } catch (Throwable t) {
                    job.failure = t;
                }
            }
            settle(job);
        }
    }

    private void emitPart(Job<R> job, R part) throws Exception {
        job.ticket.put(part);
        onDone.run();
        requireWanted(job.ticket);
    }

    /** Waits until nothing of a ticket's result is held; ends the work if the operator closes. */
    private void requireWanted(BatchTicket<R> ticket) throws InterruptedException {
        if (!ticket.awaitReleased()) {
            throw new CancellationException("the operator closed before its batches were done");
        }
    }

    private void await(Job<R> job) {
        if (job.work == null) {
            return;
        }
        try {
            job.result = job.work.await();
        } catch (DeviceOutOfMemoryException | OutOfMemoryException e) {
            job.outOfMemory = true;
        } catch (Throwable t) {
            job.failure = t;
        }
        job.work = null;
    }

    private void settle(Job<R> job) throws Exception {
        job.batch.close();
        if (job.failure != null) {
            job.ticket.fail(job.failure);
        } else {
            if (job.result != null) {
                job.ticket.put(job.result);
            }
            job.ticket.complete();
        }
        lastSettled = job.ticket;
        running.remove();
        onDone.run();
    }

    private void failRunning(Throwable cause) {
        for (Job<R> job : running) {
            await(job);
            job.ticket.fail(cause);
        }
        leftOver.addAll(running);
        running.clear();
        // Also for a batch that is settled, if it was this that failed: nothing else wakes the
        // task.
        onDone.run();
    }

    private void closeAll() throws Exception {
        running.forEach(this::await);
        leftOver.addAll(running);
        submitted.drainTo(leftOver);
        List<AutoCloseable> all = new ArrayList<>();
        for (Job<R> job : leftOver) {
            all.add(job.batch);
            all.add(job.result);
        }
        all.add(program);
        IOUtils.closeAll(all);
    }

    /** A batch on its way. Used by the pipeline's thread only. */
    private static final class Job<R extends AutoCloseable> {

        final ColumnBatch batch;
        final BatchTicket<R> ticket;
        final boolean changes;
        Submission<R> work;
        boolean outOfMemory;
        R result;
        Throwable failure;

        Job(ColumnBatch batch, BatchTicket<R> ticket, boolean changes) {
            this.batch = batch;
            this.ticket = ticket;
            this.changes = changes;
        }

        /** Not a batch: makes the thread look whether it should stop. */
        static <R extends AutoCloseable> Job<R> wakeUp() {
            return new Job<>(null, null, false);
        }
    }
}
