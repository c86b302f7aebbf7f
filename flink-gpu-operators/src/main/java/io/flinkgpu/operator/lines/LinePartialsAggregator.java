package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Lines;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.Mark;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/**
 * Puts chunks and ranges together to batches of lines, whose groups go to {@link LinePartials}. The operator makes the
 * watermarks, after each batch; of the source it passes on the last, and no status, as Flink's assigner of watermarks
 * does. No group is held when a checkpoint barrier passes. All methods are the task thread's.
 */
final class LinePartialsAggregator implements BatchFunction<Lines, ParsedLines> {

    private final BatchEngine<Lines, ParsedLines> engine;
    private final LineBatchBuilder builder;
    private final LinePartialsOutput lines;
    private final OwnWatermarks watermarks;
    private final LineMetrics metrics;

    LinePartialsAggregator(
            BatchEngine<Lines, ParsedLines> engine,
            LineBatchBuilder builder,
            LinePartialsOutput lines,
            OwnWatermarks watermarks,
            LineMetrics metrics) {
        this.engine = engine;
        this.builder = builder;
        this.lines = lines;
        this.watermarks = watermarks;
        this.metrics = metrics;
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
        return new LineBatch(builder.takeSegments(), lines);
    }

    @Override
    public void drained() throws Exception {
        lines.flush();
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        watermarks.source(watermark, engine);
    }

    @Override
    public void status(WatermarkStatus status, Mark mark) {
        // As Flink's assigner of watermarks, whose idleness is by its own time.
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
