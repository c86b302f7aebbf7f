package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.time.Duration;

/**
 * The batches of one operator: the open one, and those on their way through a backend. Says when a batch
 * is sent, and what becomes of a record that there is no room or no memory for; what is computed and what
 * comes out of it is up to a {@link BatchFunction}.
 *
 * <p>At most {@link InFlightBatches#MAX} batches are on their way besides the open one; when another is
 * full, the task thread yields, which is the back-pressure. A batch that failed, and all that came after
 * it, is never emitted. All methods are the task thread's.
 *
 * @param <IN> what comes in
 * @param <R> result of a batch
 */
@Internal
public final class BatchEngine<IN, R extends AutoCloseable> {

    private final ProcessingTimeService time;
    private final InFlightBatches<R> inFlight;

    /** Null before it is there; likewise the next three. */
    private BatchFunction<IN, R> function;

    private ColumnBuilder columns;
    private BatchMetrics metrics;

    /** Null where nothing goes before batches. */
    private ResidentChanges<?> changesBefore;

    private BufferAllocator allocator;

    /**
     * Batches of a single record that take more than this are the only ones on their way, so that
     * inputs never take the memory that results need.
     */
    private long largeBatchBytes;

    /** Null where no batch is in a hurry. */
    private DelayTimer delay;

    private long maxDelayMillis;
    private boolean overdue;

    BatchEngine(MailboxExecutor mailbox, ProcessingTimeService time) {
        this.time = time;
        this.inFlight =
                new InFlightBatches<>(mailbox, time::getCurrentProcessingTime, this::onEmitted);
    }

    /**
     * Starts the backend's thread and waits until it has opened the backend and prepared the plan.
     *
     * @param context tells the backends, the memory that columns may take, and the hash key
     * @return the program, for what the task thread may ask of it
     */
    public CompiledProgram<R> open(BatchContext<IN, ?> context, Plan<R> plan) throws Exception {
        return open(context, plan, (result, batch) -> result);
    }

    /**
     * Likewise, with something made of each result.
     *
     * @param finish called by the backend's thread
     */
    public <P extends AutoCloseable> CompiledProgram<P> open(
            BatchContext<IN, ?> context, Plan<P> plan, PlanRunner.Finish<P, R> finish)
            throws Exception {
        PlanRunner<P, R> runner = new PlanRunner<>(context, plan, finish);
        Backend backend = inFlight.open(context.runtime(), runner);
        metrics = new BatchMetrics(context.metrics(), backend);
        StartLine.log(context, plan, backend.placement());
        allocator = backend.allocator();
        largeBatchBytes = allocator.getLimit() / InFlightBatches.MAX_COLUMNS;
        return runner.program();
    }

    /** Has batches sent at most so long after their first record. */
    public void limitDelay(Duration maxDelay) {
        delay = new DelayTimer(time, this::onDelay);
        maxDelayMillis = maxDelay.toMillis();
    }

    /** Says what fills the batches, which is the engine's to close from here on. */
    void start(BatchFunction<IN, R> function) {
        this.function = function;
        this.columns = function.columns();
    }

    /** The operator's clock. */
    public ProcessingTimeService time() {
        return time;
    }

    /** Of the backend, which is open. */
    public BatchMetrics metrics() {
        return metrics;
    }

    /** Whether a batch is open. */
    public boolean hasOpenBatch() {
        return columns != null && !function.isEmpty();
    }

    /** Whether a batch is on its way. */
    public boolean hasBatchesInFlight() {
        return !inFlight.isEmpty();
    }

    /** Adds a record to the open batch, or to the next one; sends one that is full. */
    void add(StreamRecord<IN> element) throws Exception {
        boolean opens;
        while (true) {
            columns.limitMemory(inFlight.isEmpty() ? Long.MAX_VALUE : largeBatchBytes);
            opens = function.isEmpty();
            try {
                if (function.append(element)) {
                    break;
                }
            } catch (OutOfMemoryException e) {
                if (inFlight.isEmpty() && function.refuse(element, e)) {
                    return;
                }
                if (inFlight.isEmpty()) {
                    throw function.noMemory(element.getValue(), e);
                }
                inFlight.awaitAll();
                continue;
            }
            flush(fullReason());
        }
        // What has no rows may open no batch, nor does it make one wait longer.
        if (opens && delay != null && !function.isEmpty()) {
            startDelay();
        }
        if (columns.isFull()) {
            sendFull();
        }
    }

    /** Sends the open batch, if there is one, as soon as there is room. */
    public void flush(FlushReason reason) throws Exception {
        inFlight.awaitRoom();
        // A mail that ran meanwhile may have flushed.
        if (hasOpenBatch()) {
            overdue = false;
            send(reason);
        }
    }

    /** Where the columns of batches are built, once the backend is open. */
    public BufferAllocator allocator() {
        return allocator;
    }

    /**
     * Sends a batch of no rows, which makes a program give what it holds.
     *
     * @param columns owned from here on
     */
    public void sendEmpty(InFlightBatch<R> batch, ColumnBatch columns) throws Exception {
        inFlight.awaitRoom();
        inFlight.add(batch, columns);
        metrics.inFlight(inFlight.size());
    }

    /**
     * Has changes of what is resident go before each batch from here on: rows say themselves which of the
     * changes they see.
     */
    public void sendBefore(ResidentChanges<?> changes) {
        changesBefore = changes;
    }

    /** Whether a batch that is sent now need not wait. */
    public boolean hasRoom() {
        return inFlight.hasRoom();
    }

    /** Sends changes of what is resident, as soon as there is room; no batch is open. */
    void send(ResidentChanges<?> changes) throws Exception {
        inFlight.awaitRoom();
        // A mail that ran meanwhile may have sent them.
        if (!changes.isEmpty()) {
            inFlight.addChanges(changes.take(), changes.onApplied());
            metrics.inFlight(inFlight.size());
        }
    }

    /** Waits until all there is was emitted. */
    public void drain(FlushReason reason) throws Exception {
        flush(reason);
        inFlight.awaitAll();
        if (function != null) {
            function.drained();
        }
    }

    /** Waits until the batches on their way were emitted. */
    public void awaitBatchesInFlight() throws Exception {
        inFlight.awaitAll();
    }

    /** Emits nothing; gives all memory back, also after a failed open. */
    void close() throws Exception {
        IOUtils.closeAll(function, inFlight::close);
    }

    private void sendFull() throws Exception {
        boolean alone = columns.memoryBytes() > largeBatchBytes;
        flush(fullReason());
        if (alone) {
            inFlight.awaitAll();
        }
    }

    private FlushReason fullReason() {
        return columns.isOutOfRows() ? FlushReason.ROWS : FlushReason.BYTES;
    }

    private void send(FlushReason reason) throws Exception {
        int rows = columns.rows();
        int bytes = columns.bytes();
        if (changesBefore != null && !changesBefore.isEmpty()) {
            inFlight.addChanges(changesBefore.take(), changesBefore.onApplied());
        }
        inFlight.add(function.take(), rows > 0 ? columns.build() : null);
        metrics.flushed(reason, bytes, inFlight.size());
        if (function.countsRows()) {
            metrics.rows(rows);
        }
        if (rows == 0) {
            inFlight.emitFinished();
            metrics.inFlight(inFlight.size());
        }
    }

    /**
     * A batch waits as long as the one before was on its way: batches are small while the backend has
     * nothing else to do, and grow as it takes longer to answer.
     */
    private void startDelay() {
        delay.start(Math.max(1, Math.min(maxDelayMillis, inFlight.lastTripMillis())));
    }

    private void onDelay() throws Exception {
        if (inFlight.hasRoom()) {
            flush(FlushReason.DELAY);
        } else if (hasOpenBatch()) {
            // A timer must not wait for room; the next finished batch makes it.
            overdue = true;
        }
    }

    private void onEmitted() throws Exception {
        metrics.inFlight(inFlight.size());
        if (overdue && inFlight.hasRoom()) {
            flush(FlushReason.DELAY);
        }
    }
}
