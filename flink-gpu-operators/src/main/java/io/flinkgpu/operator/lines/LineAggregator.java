package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.Mark;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.local.BlockOutput;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Row;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * Parses lines and aggregates them by key and slice, so that few groups are sent to the keys' subtasks
 * and no record is made of a line. Chunks and ranges are put together to batches; what becomes of a batch
 * is merged into groups that are held until the watermark reaches them, or until a barrier, the end of
 * the input or idleness wants them sent.
 *
 * <p>In event time the operator makes the watermarks, after each batch; those of the source mean nothing
 * but the last. The results of the windows are the same as if every line had been sent as a row: partials
 * commute, and a line that is late at this watermark is sent as it is. As with {@code
 * LocalAggregator}, the windows' watermark is not ahead of this one unless the input has been
 * idle, from when on every line is sent as it is; and the shuffle must have aligned barriers.
 *
 * <p>No group is held when a checkpoint barrier passes. All methods are the task thread's.
 */
final class LineAggregator implements BatchFunction<Lines, ParsedLines> {

    private final BatchEngine<Lines, ParsedLines> engine;
    private final LineBatchBuilder builder;
    private final LineMetrics metrics;
    private final OwnWatermarks watermarks;
    private final LineOutput lines;
    private final CompiledProgram<?> program;
    private final boolean programHolds;

    /** Whether a batch went to the program since it gave all that it holds. */
    private boolean mayHold;

    LineAggregator(
            BatchEngine<Lines, ParsedLines> engine,
            LineBatchBuilder builder,
            LineAggregateSpec spec,
            CompiledProgram<?> program,
            Output<StreamRecord<WindowInput<String, Row>>> output,
            BlockOutput<String, Row> blocks,
            LineMetrics metrics,
            ErrorValues errors) {
        this.engine = engine;
        this.builder = builder;
        this.metrics = metrics;
        this.watermarks = new OwnWatermarks(output);
        this.program = program;
        this.programHolds = spec.plan().holdsGroups();
        this.lines = new LineOutput(spec, output, metrics, watermarks, blocks, errors);
    }

    @Override
    public ColumnBuilder columns() {
        return builder.columns();
    }

    @Override
    public boolean append(StreamRecord<Lines> element) throws IOException {
        return metrics.append(builder, element.getValue());
    }

    @Override
    public IllegalStateException noMemory(Lines next, OutOfMemoryException cause) {
        return LineBatchBuilder.noMemory(next, cause);
    }

    @Override
    public LineBatch take() {
        metrics.batchSent();
        mayHold = programHolds;
        return new LineBatch(builder.takeSegments(), lines);
    }

    /** Sends the groups that are held, too. */
    @Override
    public void drained() throws Exception {
        if (mayHold) {
            lines.awaitGiven();
            while (!lines.isAllGiven()) {
                engine.sendEmpty(
                        new LineBatch(builder.takeSegments(), lines),
                        TextColumns.empty(engine.allocator()));
            }
            engine.awaitBatchesInFlight();
            mayHold = false;
        }
        lines.sendHeld();
    }

    @Override
    public void barrier(long checkpointId) {
        program.barrierPassed(checkpointId);
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        watermarks.source(watermark, engine);
    }

    @Override
    public void status(WatermarkStatus status, Mark mark) throws Exception {
        if (status.isIdle()) {
            engine.drain(FlushReason.IDLE);
            lines.idle();
        }
        watermarks.status(status);
        mark.forward();
    }

    @Override
    public void mark(Mark mark) throws Exception {
        mark.forward();
    }

    @Override
    public void close() throws IOException {
        lines.close();
        builder.close();
    }
}
