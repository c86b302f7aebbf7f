package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.util.IOUtils;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The one thread of an operator that calls the backend. Batches run in the order they were submitted,
 * up to {@link #MAX_RUNNING} of them at a time; each leaves a result or a failure in its ticket. The
 * thread owns the batches it was given, and gives everything back before it ends, whatever happened.
 *
 * <p>The methods are the task thread's.
 *
 * @param <R> result of a batch
 */
final class BatchPipeline<R extends AutoCloseable> {

    /** One batch copied to the device, one computed, one copied back. */
    static final int MAX_RUNNING = 3;

    private final BatchProgram<R> program;
    private final Runnable onDone;
    private final Thread thread;
    private final BlockingQueue<Job<R>> submitted = new LinkedBlockingQueue<>();
    private final ArrayDeque<Job<R>> running = new ArrayDeque<>();
    private final CompletableFuture<Backend> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final List<Job<R>> leftOver = new ArrayList<>();
    private Throwable broken;
    private volatile boolean stopping;

    /**
     * @param threadName for thread dumps
     * @param classLoader of the user's code, for what the backend loads
     * @param onDone called by the pipeline's thread after each batch
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
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Gives the pipeline a batch, which is the pipeline's from here on. Does not wait. */
    BatchTicket<R> submit(ColumnBatch batch) {
        BatchTicket<R> ticket = new BatchTicket<>();
        submitted.add(new Job<>(batch, ticket));
        return ticket;
    }

    /**
     * Ends the thread. Every ticket must be taken or abandoned before.
     *
     * @throws IllegalStateException if the thread still waits for the device after the timeout; it
     *     gives its memory back once the device answers
     */
    void close(Duration timeout) throws Exception {
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        stopping = true;
        submitted.add(Job.wakeUp());
        thread.join(timeout.toMillis());
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "the device did not answer before the operator closed: waitedMillis="
                            + timeout.toMillis()
                            + ", thread="
                            + thread.getName()
                            + "; restart the TaskManager if its memory does not come back");
        }
        try {
            closed.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
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
        try {
            closeAll();
            closed.complete(null);
        } catch (Throwable t) {
            closed.completeExceptionally(t);
        }
    }

    private void step() {
        try {
            Job<R> next = running.isEmpty() ? submitted.take() : submitted.poll();
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

    private void start(Job<R> job) throws Exception {
        running.add(job);
        if (broken != null) {
            job.failure = broken;
            return;
        }
        try {
            job.work = program.submit(job.batch);
        } catch (DeviceOutOfMemoryException e) {
            job.outOfMemory = e;
            finishAllWithLess();
        } catch (Throwable t) {
            job.failure = t;
        }
    }

    private void finishOldest() throws Exception {
        Job<R> job = running.peek();
        await(job);
        if (job.outOfMemory != null) {
            finishAllWithLess();
        } else {
            settle(job);
        }
    }

    /** Lets the device come to rest, so that all its memory is there, then repeats what failed. */
    private void finishAllWithLess() throws Exception {
        running.forEach(this::await);
        while (!running.isEmpty()) {
            Job<R> job = running.peek();
            if (job.outOfMemory != null) {
                try {
                    job.result = program.runWithLess(job.batch, job.outOfMemory);
                } catch (Throwable t) {
                    job.failure = t;
                }
            }
            settle(job);
        }
    }

    private void await(Job<R> job) {
        if (job.work == null) {
            return;
        }
        try {
            job.result = job.work.await();
        } catch (DeviceOutOfMemoryException e) {
            job.outOfMemory = e;
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
            job.ticket.complete(job.result);
        }
        running.remove();
        onDone.run();
    }

    private void failRunning(Throwable cause) {
        for (Job<R> job : running) {
            await(job);
            job.ticket.fail(cause);
            onDone.run();
        }
        leftOver.addAll(running);
        running.clear();
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
        BatchProgram.Work<R> work;
        DeviceOutOfMemoryException outOfMemory;
        R result;
        Throwable failure;

        Job(ColumnBatch batch, BatchTicket<R> ticket) {
            this.batch = batch;
            this.ticket = ticket;
        }

        /** Not a batch: makes the thread look whether it should stop. */
        static <R extends AutoCloseable> Job<R> wakeUp() {
            return new Job<>(null, null);
        }
    }
}
