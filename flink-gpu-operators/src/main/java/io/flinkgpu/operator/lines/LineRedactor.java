package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.Mark;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.OutOfMemoryException;

import java.io.IOException;

/** Fills batches with lines to redact. Marks wait until all before them has left. */
final class LineRedactor implements BatchFunction<Lines, RedactedBatch> {

    private final BatchEngine<Lines, RedactedBatch> engine;
    private final LineBatchBuilder builder;
    private final RedactedLines.Target target;

    LineRedactor(
            BatchEngine<Lines, RedactedBatch> engine,
            LineBatchBuilder builder,
            RedactedLines.Target target) {
        this.engine = engine;
        this.builder = builder;
        this.target = target;
    }

    @Override
    public ColumnBuilder columns() {
        return builder.columns();
    }

    @Override
    public boolean append(StreamRecord<Lines> element) throws IOException {
        return builder.append(element.getValue());
    }

    @Override
    public IllegalStateException noMemory(Lines lines, OutOfMemoryException cause) {
        return LineBatchBuilder.noMemory(lines, cause);
    }

    /** Where the backend finds the lines, the result has their number. */
    @Override
    public boolean countsRows() {
        return false;
    }

    @Override
    public RedactedLines take() {
        return new RedactedLines(
                builder.takeSegments(), columns().bytes(), builder.holdsLines(), target);
    }

    @Override
    public void mark(Mark mark) throws Exception {
        engine.drain(FlushReason.WATERMARK);
        mark.forward();
    }

    @Override
    public void close() throws IOException {
        builder.close();
    }
}
