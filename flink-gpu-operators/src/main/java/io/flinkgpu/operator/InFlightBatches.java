package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.IOUtils;
import org.apache.flink.util.function.ThrowingRunnable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * The batches of an operator on their way, oldest first, and their emission in this order. The backend
 * is called by a thread of its own, which hands each result back by a mail. A batch that failed, and
 * all that came behind it, is never emitted. Task thread only.
 *
 * @param <R> result of a batch
 */
@Internal
public final class InFlightBatches<R extends AutoCloseable> {

    /** The most batches on their way besides the open one. */
    public static final int MAX = BatchPipeline.MAX_RUNNING;

    /** The open batch, those on their way, and for each a result of about its size. */
    public static final int MAX_COLUMNS = 2 * (MAX + 1);

    private static final Logger LOG = LoggerFactory.getLogger(InFlightBatches.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final MailboxExecutor mailbox;
    private final LongSupplier clockMillis;
    private final ThrowingRunnable<Exception> onEmitted;
    private final ArrayDeque<InFlightBatch<R>> batches = new ArrayDeque<>();
    private BatchPipeline<R> pipeline;
    private Throwable failure;
    private long lastTripMillis = Long.MAX_VALUE;

    /**
     * @param mailbox of the operator
     * @param clockMillis of the operator
     * @param onEmitted called after each mail that emitted something
     */
    public InFlightBatches(
            MailboxExecutor mailbox,
            LongSupplier clockMillis,
            ThrowingRunnable<Exception> onEmitted) {
        this.mailbox = mailbox;
        this.clockMillis = clockMillis;
        this.onEmitted = onEmitted;
    }

    /**
     * Starts the backend's thread and waits until it has opened the backend.
     *
     * @param context of the operator
     * @param program what runs over the batches; closed with this
     */
    public Backend open(RuntimeContext context, BatchProgram<R> program) throws Exception {
        pipeline =
                new BatchPipeline<>(
                        context.getTaskInfo().getTaskNameWithSubtasks() + " backend",
                        context.getUserCodeClassLoader(),
                        program,
                        this::postCompletion);
        return pipeline.open();
    }

    public boolean isEmpty() {
        return batches.isEmpty();
    }

    public int size() {
        return batches.size();
    }

    public boolean hasRoom() {
        return batches.size() < MAX;
    }

    /** How long the batch emitted last was on its way; forever if there was none. */
    public long lastTripMillis() {
        return lastTripMillis;
    }

    /**
     * Sends a batch on its way; there must be room.
     *
     * @param columns its rows, owned from here on; null if it has none and so needs no backend
     */
    public void add(InFlightBatch<R> batch, ColumnBatch columns) {
        if (columns != null) {
            batch.submitted(pipeline.submit(columns), clockMillis.getAsLong());
        }
        batches.add(batch);
    }

    /**
     * Sends changes of what is resident on their way; there must be room. A batch may follow at once,
     * although there is none for it then.
     *
     * @param onApplied called once they were applied
     */
    public void addChanges(ColumnBatch changes, Runnable onApplied) {
        ChangeBatch<R> batch = new ChangeBatch<>(onApplied);
        batch.submitted(pipeline.submitChanges(changes), clockMillis.getAsLong());
        batches.add(batch);
    }

    /** Waits until there is room for another batch; mails run meanwhile. */
    public void awaitRoom() throws Exception {
        while (!hasRoom()) {
            awaitMail();
        }
    }

    /** Waits until all batches are emitted; mails run meanwhile. */
    public void awaitAll() throws Exception {
        while (!batches.isEmpty()) {
            awaitMail();
        }
    }

    /** Emits all that is there of the oldest batches. */
    public void emitFinished() throws Exception {
        throwIfFailed();
        while (!batches.isEmpty()) {
            InFlightBatch<R> oldest = batches.peek();
            try {
                if (!oldest.emit()) {
                    return;
                }
            } catch (Throwable t) {
                failure = t;
                throw t;
            }
            failure = oldest.failure();
            throwIfFailed();
            batches.remove();
            if (oldest.hasRows()) {
                lastTripMillis = clockMillis.getAsLong() - oldest.sentMillis();
            }
        }
    }

    /** Emits nothing; gives up on all batches and gives all memory back, also after a failed open. */
    public void close() throws Exception {
        List<AutoCloseable> all = new ArrayList<>();
        batches.forEach(batch -> all.add(batch::abandon));
        batches.clear();
        if (pipeline != null) {
            all.add(() -> pipeline.close(CLOSE_TIMEOUT));
        }
        IOUtils.closeAll(all);
    }

    /** Lets a mail run, in practice one that emits a batch. */
    private void awaitMail() throws Exception {
        // The mail of a failed batch may have run already; no other would come.
        throwIfFailed();
        mailbox.yield();
    }

    private void postCompletion() {
        try {
            mailbox.execute(this::onCompletion, "emit finished batches");
        } catch (RejectedExecutionException e) {
            // The task is ending; close() gives the result back.
            LOG.debug("A batch finished after its task.");
        }
    }

    private void onCompletion() throws Exception {
        emitFinished();
        onEmitted.run();
    }

    private void throwIfFailed() {
        if (failure != null) {
            ProcessFailures.rethrow(failure);
            throw new IllegalStateException(
                    "a batch failed and was not emitted, nor is any behind it: "
                            + failure.getMessage(),
                    failure);
        }
    }
}
