package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.util.IOUtils;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An operator with an open batch, and others on their way through a backend. None is left when a
 * checkpoint barrier passes and when the input ends, so the operator has no state. All methods are the task
 * thread's.
 *
 * @param <IN> what comes in
 * @param <OUT> what goes out
 * @param <B> what is kept of a batch on its way
 * @param <R> result of a batch
 */
public abstract class BatchOperator<IN, OUT, B extends InFlightBatch<R>, R extends AutoCloseable>
        extends AbstractStreamOperator<OUT>
        implements OneInputStreamOperator<IN, OUT>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    protected final transient InFlightBatches<B, R> inFlight;

    /** Of the backend; null before it is opened. */
    protected transient BatchMetrics batchMetrics;

    /** Null where no batch is in a hurry. */
    private transient DelayTimer delay;

    private transient long maxDelayMillis;
    private transient boolean overdue;

    protected BatchOperator(StreamOperatorParameters<OUT> parameters) {
        // setup() reads the time service, so it must be there before.
        this.processingTimeService = parameters.getProcessingTimeService();
        setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        this.inFlight =
                new InFlightBatches<>(
                        parameters.getMailboxExecutor(),
                        processingTimeService::getCurrentProcessingTime,
                        this::onEmitted);
    }

    /** Whether there is something to flush. */
    protected abstract boolean hasOpenBatch();

    /** Sends the open batch on its way; there is one, and room for it. */
    protected abstract void send(FlushReason reason) throws Exception;

    /** What holds the open batch's memory; null if nothing does yet. */
    protected abstract AutoCloseable openBatch();

    /** Starts the backend's thread and waits until it has opened the backend. */
    protected final Backend openBackend(BatchProgram<R> program) throws Exception {
        Backend backend = inFlight.open(getRuntimeContext(), program);
        batchMetrics = new BatchMetrics(getMetricGroup(), backend);
        return backend;
    }

    /** Has open batches flushed at most so long after {@link #startDelay()}. */
    protected final void limitDelay(Duration maxDelay) {
        delay = new DelayTimer(getProcessingTimeService(), this::onDelay);
        maxDelayMillis = maxDelay.toMillis();
    }

    /**
     * Says that a batch was opened just now. It waits as long as the one before was on its way: batches
     * are small while the backend has nothing else to do, and grow as it takes longer to answer.
     */
    protected final void startDelay() {
        if (delay != null) {
            delay.start(Math.max(1, Math.min(maxDelayMillis, inFlight.lastTripMillis())));
        }
    }

    /** Sends the open batch, if there is one, as soon as there is room. */
    protected final void flush(FlushReason reason) throws Exception {
        inFlight.awaitRoom();
        // A mail that ran meanwhile may have flushed.
        if (hasOpenBatch()) {
            overdue = false;
            send(reason);
        }
    }

    /** Waits until all there is was emitted. */
    protected void drain(FlushReason reason) throws Exception {
        flush(reason);
        inFlight.awaitAll();
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        drain(FlushReason.CHECKPOINT);
        super.prepareSnapshotPreBarrier(checkpointId);
    }

    @Override
    public void endInput() throws Exception {
        drain(FlushReason.END_OF_INPUT);
    }

    @Override
    public void finish() throws Exception {
        drain(FlushReason.END_OF_INPUT);
        super.finish();
    }

    /** Emits nothing; gives all memory back, also after a failed {@link #open()}. */
    @Override
    public void close() throws Exception {
        List<AutoCloseable> all = new ArrayList<>();
        all.add(openBatch());
        all.add(inFlight::close);
        all.add(super::close);
        IOUtils.closeAll(all);
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
        batchMetrics.inFlight(inFlight.size());
        if (overdue && inFlight.hasRoom()) {
            flush(FlushReason.DELAY);
        }
    }
}
