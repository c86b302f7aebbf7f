package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.operator.ColumnBatchOperator;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.lines.LineBatchBuilder.Split;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * Parses lines and aggregates them by key and slice, so that few partials are sent to the keys' subtasks
 * and no record is made of a line. Chunks and ranges are put together to batches; what becomes of a batch
 * is merged into groups that are held until the watermark reaches them, or until a barrier, the end of
 * the input or idleness wants them sent.
 *
 * <p>In event time the operator makes the watermarks, after each batch; those of the source mean nothing
 * but the last. The results of the windows are the same as if every line had been sent as a row: partials
 * commute, and a line that is late at this watermark is sent as it is. As with {@code
 * LocalAggregateOperator}, the windows' watermark is not ahead of this one unless the input has been
 * idle, from when on every line is sent as it is; and the shuffle must have aligned barriers.
 *
 * <p>No batch is open and no group held when a checkpoint barrier passes, so the operator has no state. A
 * batch that failed, and all that came behind it, is never emitted. All methods are the task thread's.
 */
final class LineAggregateOperator
        extends ColumnBatchOperator<Lines, WindowInput<String, Row>, LineBatch, ParsedLines> {

    private static final long serialVersionUID = 1L;

    /** Chunks in a batch. A batch is full of bytes long before, unless chunks are tiny. */
    private static final int MAX_CHUNKS = 1 << 12;

    private final transient LineAggregation aggregation;

    private transient LineMetrics metrics;
    private transient LineOutput lines;
    private transient LineBatchBuilder builder;

    /** Whether the windows were told so. */
    private transient boolean isIdle;

    LineAggregateOperator(
            StreamOperatorParameters<WindowInput<String, Row>> parameters,
            LineAggregation aggregation) {
        super(parameters);
        this.aggregation = aggregation;
    }

    static int maxChunks(BatchPolicy policy) {
        return Math.min(policy.maxRows(), MAX_CHUNKS);
    }

    @Override
    public void open() throws Exception {
        super.open();
        GpuOptions options = aggregation.options();
        BatchPolicy policy = options.batchPolicy();
        metrics = new LineMetrics(getMetricGroup(), getRuntimeContext());
        lines = new LineOutput(aggregation, output, metrics, this::emit);
        long started = System.nanoTime();
        Backend backend =
                openBackend(
                        new LineProgram(
                                aggregation.backend(),
                                aggregation.fallback(),
                                options.memoryLimitBytes(),
                                getRuntimeContext(),
                                aggregation.plan()));
        metrics.opened(System.nanoTime() - started);
        builder =
                new LineBatchBuilder(
                        backend.allocator(), maxChunks(policy), policy.maxBytes(), Split.NONE);
        // Elsewhere no window fires before the end, and no batch is in a hurry.
        if (aggregation.shape().isEventTime()) {
            limitDelay(policy.maxDelay());
        }
        fill(builder.columns(), backend);
    }

    @Override
    public void processElement(StreamRecord<Lines> element) throws Exception {
        Lines next = element.getValue();
        boolean opens = !hasOpenBatch();
        opens |= append(next);
        // Lines that are none open no batch, nor do they make one wait longer.
        if (opens && hasOpenBatch()) {
            startDelay();
        }
        flushIfFull();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.equals(Watermark.MAX_WATERMARK)) {
            drain(FlushReason.WATERMARK);
            emit(mark);
        }
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        if (status.isIdle()) {
            drain(FlushReason.IDLE);
            lines.idle();
        }
        isIdle = status.isIdle();
        super.processWatermarkStatus(status);
    }

    /** An idle input's lines come before it says that it is active, and watermarks of idle ones are lost. */
    private void emit(Watermark mark) throws Exception {
        if (isIdle) {
            isIdle = false;
            super.processWatermarkStatus(WatermarkStatus.ACTIVE);
        }
        super.processWatermark(mark);
    }

    @Override
    protected boolean tryAppend(Lines next) throws IOException {
        long started = System.nanoTime();
        int bytes = builder.bytes();
        if (!builder.append(next)) {
            return false;
        }
        metrics.read(builder.bytes() - bytes, System.nanoTime() - started);
        return true;
    }

    @Override
    protected IllegalStateException noMemory(Lines next, OutOfMemoryException cause) {
        return LineBatchBuilder.noMemory(next, cause);
    }

    /** Sends the groups that are held, too. */
    @Override
    protected void drain(FlushReason reason) throws Exception {
        super.drain(reason);
        lines.sendHeld();
    }

    @Override
    protected boolean hasOpenBatch() {
        return builder.rows() > 0;
    }

    @Override
    protected AutoCloseable openBatch() {
        return builder;
    }

    @Override
    protected void send(FlushReason reason) throws Exception {
        int rows = builder.rows();
        int bytes = builder.bytes();
        LineBatch batch = new LineBatch(builder.takeSegments(), lines);
        inFlight.add(batch, builder.build());
        batchMetrics.flushed(reason, rows, bytes, inFlight.size());
    }
}
