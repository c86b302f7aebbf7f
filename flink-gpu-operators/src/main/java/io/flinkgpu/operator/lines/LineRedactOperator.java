package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.operator.ColumnBatchOperator;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.lines.LineBatchBuilder.Split;
import io.flinkgpu.operator.redact.RedactMetrics;
import io.flinkgpu.operator.redact.RedactProgram;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * Redacts lines: ranges of files are read straight into the column, chunks are copied there. Each leaves
 * as one chunk, in the order they came and without a timestamp; one without lines leaves nothing. A
 * watermark, or another mark, waits until all before it has left: sources of files have few.
 *
 * <p>No batch is open when a checkpoint barrier passes, so the operator has no state. A batch that failed,
 * and all that came behind it, is never emitted. All methods are the task thread's.
 */
final class LineRedactOperator
        extends ColumnBatchOperator<Lines, LineChunk, RedactedLines, RedactedBatch> {

    private static final long serialVersionUID = 1L;

    private final transient LineRedaction redaction;

    private transient LineBatchBuilder builder;
    private transient RedactedLines.Target target;

    LineRedactOperator(StreamOperatorParameters<LineChunk> parameters, LineRedaction redaction) {
        super(parameters);
        this.redaction = redaction;
    }

    @Override
    public void open() throws Exception {
        super.open();
        GpuOptions options = redaction.options();
        BatchPolicy policy = options.batchPolicy();
        RuleSet rules = redaction.rules().ruleSet();
        byte[] hashKey =
                rules.needsHashKey()
                        ? options.hashKey().map(HashKey::load).orElseThrow()
                        : new byte[0];
        Backend backend =
                openBackend(
                        new RedactProgram(
                                redaction.backend(),
                                redaction.fallback(),
                                options.memoryLimitBytes(),
                                getRuntimeContext(),
                                redaction.rules(),
                                hashKey));
        builder =
                new LineBatchBuilder(
                        backend.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        backend.findsLines() ? Split.ROWS_OR_LINES : Split.ROWS);
        target =
                new RedactedLines.Target(
                        output,
                        redaction.lendsLines(),
                        new RedactMetrics(getMetricGroup(), getRuntimeContext(), rules),
                        batchMetrics);
        limitDelay(policy.maxDelay());
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
        drain(FlushReason.WATERMARK);
        super.processWatermark(mark);
    }

    @Override
    public void processWatermark(WatermarkEvent watermark) throws Exception {
        drain(FlushReason.WATERMARK);
        super.processWatermark(watermark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        drain(FlushReason.WATERMARK);
        super.processWatermarkStatus(status);
    }

    @Override
    public void processLatencyMarker(LatencyMarker marker) throws Exception {
        drain(FlushReason.WATERMARK);
        super.processLatencyMarker(marker);
    }

    @Override
    public void processRecordAttributes(RecordAttributes attributes) throws Exception {
        drain(FlushReason.WATERMARK);
        super.processRecordAttributes(attributes);
    }

    @Override
    protected boolean tryAppend(Lines next) throws IOException {
        return builder.append(next);
    }

    @Override
    protected IllegalStateException noMemory(Lines next, OutOfMemoryException cause) {
        return LineBatchBuilder.noMemory(next, cause);
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
        int bytes = builder.bytes();
        RedactedLines batch =
                new RedactedLines(builder.takeSegments(), bytes, builder.holdsLines(), target);
        inFlight.add(batch, builder.build());
        batchMetrics.flushed(reason, bytes, inFlight.size());
    }
}
