package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.function.Predicate;

/**
 * Collects records into batches, runs them on a backend, and emits the results: when to batch, and
 * nothing of what is computed.
 *
 * <p>Everything leaves in the order it came, watermarks and other marks included, at the same places
 * among the records: what is emitted does not depend on where batches were cut. No batch is open when
 * a checkpoint barrier passes, so the operator has no state. A batch that failed, and all that came
 * behind it, is never emitted.
 *
 * <p>All methods are the task thread's. At most {@link InFlightBatches#MAX} batches are on their way
 * besides the open one; when another is full, the task thread yields, which is the back-pressure.
 *
 * @param <IN> what comes in
 * @param <OUT> what goes out
 * @param <R> result of a batch
 */
public abstract class MicroBatchOperator<IN, OUT, R extends AutoCloseable>
        extends ColumnBatchOperator<IN, OUT, PendingBatch<IN, R>, R> {

    private static final long serialVersionUID = 1L;

    private final transient BatchPolicy policy;

    private transient BatchEmitter<IN, R> emitter;
    private transient ColumnBuilder builder;
    private transient Predicate<IN> appender;
    private transient PendingBatch<IN, R> open;
    private transient TypeSerializer<IN> copySerializer;

    public MicroBatchOperator(StreamOperatorParameters<OUT> parameters, BatchPolicy policy) {
        super(parameters);
        this.policy = policy;
    }

    /** Where records go; asked for once, when the operator opens. */
    protected abstract BatchInput<IN> createInput(BufferAllocator allocator);

    /** The program to run; asked for once, when the operator opens. */
    protected abstract BatchProgram<R> createProgram();

    /** Makes output of the program's results; asked for once, when the operator opens. */
    protected abstract BatchEmitter<IN, R> createEmitter();

    @Override
    public void open() throws Exception {
        super.open();
        if (getExecutionConfig().isObjectReuseEnabled()) {
            copySerializer = getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader());
        }
        emitter = createEmitter();
        open = new PendingBatch<>(emitter, 0);
        Backend backend = openBackend(createProgram());
        BatchInput<IN> input = createInput(backend.allocator());
        builder = input.builder();
        appender = input.appender();
        fill(builder, backend);
        limitDelay(policy.maxDelay());
    }

    @Override
    public void processElement(StreamRecord<IN> element) throws Exception {
        IN value = element.getValue();
        append(value);
        IN kept = copySerializer == null ? value : copySerializer.copy(value);
        if (open.isEmpty()) {
            startDelay();
        }
        open.add(kept, element, builder.rows());
        flushIfFull();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.equals(Watermark.MAX_WATERMARK)) {
            drain(FlushReason.WATERMARK);
        }
        inOrder(() -> super.processWatermark(mark));
    }

    @Override
    public void processWatermark(WatermarkEvent watermark) throws Exception {
        inOrder(() -> super.processWatermark(watermark));
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        inOrder(() -> super.processWatermarkStatus(status));
    }

    @Override
    public void processLatencyMarker(LatencyMarker marker) throws Exception {
        inOrder(() -> super.processLatencyMarker(marker));
    }

    @Override
    public void processRecordAttributes(RecordAttributes attributes) throws Exception {
        inOrder(() -> super.processRecordAttributes(attributes));
    }

    @Override
    protected boolean tryAppend(IN value) {
        return appender.test(value);
    }

    @Override
    protected IllegalStateException noMemory(IN value, OutOfMemoryException cause) {
        return new IllegalStateException(
                "no memory for a batch with this record: "
                        + cause.getMessage()
                        + "; raise memoryLimitBytes or lower the batch policy's maxBytes",
                cause);
    }

    private void inOrder(PendingBatch.Mark mark) throws Exception {
        if (!open.isEmpty()) {
            open.add(mark);
        } else if (!inFlight.isEmpty()) {
            inFlight.last().add(mark);
        } else {
            mark.forward();
        }
    }

    @Override
    protected boolean hasOpenBatch() {
        return !open.isEmpty();
    }

    @Override
    protected AutoCloseable openBatch() {
        return builder;
    }

    @Override
    protected void send(FlushReason reason) throws Exception {
        PendingBatch<IN, R> batch = open;
        open = new PendingBatch<>(emitter, batch.records());
        int bytes = builder.bytes();
        batch.setBytes(bytes);
        inFlight.add(batch, batch.rows() > 0 ? builder.build() : null);
        batchMetrics.flushed(reason, batch.rows(), bytes, inFlight.size());
        if (batch.rows() == 0) {
            inFlight.emitFinished();
            batchMetrics.inFlight(inFlight.size());
        }
    }
}
