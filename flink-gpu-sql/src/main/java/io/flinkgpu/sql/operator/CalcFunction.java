package io.flinkgpu.sql.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.InFlightBatch;
import io.flinkgpu.operator.Mark;
import io.flinkgpu.operator.RecordBatches;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

import java.io.IOException;

/** A {@link CalcSpec} at work: Flink's part of each row at once, the program's in batches. */
final class CalcFunction implements BatchFunction<RowData, TransformedBatch> {

    private final BatchEngine<RowData, TransformedBatch> engine;
    private final RecordBatches<RowData, TransformedBatch> batches;
    private final KeptRows keptRows;
    private final ArgumentReader reader;
    private final RowValues values;
    private final Output<StreamRecord<RowData>> output;
    private final Counter flinkRows;

    /** The row that is added next: what is kept of it, or all of it. */
    private final StreamRecord<RowData> next = new StreamRecord<>(null);

    private boolean nextIsWhole;

    CalcFunction(
            CalcSpec spec,
            BatchEngine<RowData, TransformedBatch> engine,
            BatchContext<RowData, RowData> context)
            throws Exception {
        this.engine = engine;
        boolean reused = context.copier() != null;
        BatchPolicy policy = context.options().batchPolicy();
        RowBatchBuilder builder =
                new RowBatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        spec.program().columns(),
                        spec.program().types());
        values = new RowValues(spec.arguments().size());
        reader = new ArgumentReader(spec.arguments());
        output = context.output();
        flinkRows = BatchMetrics.group(context.metrics()).counter("flinkRows");
        batches =
                new RecordBatches<>(
                        engine,
                        withoutCopies(context),
                        new BatchInput<>(builder, row -> nextIsWhole || builder.append(values)),
                        new CalcResults(spec, reused, context),
                        null);
        keptRows = new KeptRows(spec.flink(), reused, context.runtime());
    }

    /** What is kept of rows is this operator's own. */
    private static BatchContext<RowData, RowData> withoutCopies(
            BatchContext<RowData, RowData> context) {
        return new BatchContext<>(
                context.runtime(),
                context.output(),
                context.options(),
                context.backend(),
                context.fallback(),
                null,
                context.keyGroups(),
                context.batchExecution());
    }

    @Override
    public boolean processAlone(StreamRecord<RowData> element) throws Exception {
        RowData input = element.getValue();
        RowData kept = keptRows.of(input);
        if (kept == null) {
            return true;
        }
        nextIsWhole = !reader.read(input, kept, values);
        if (nextIsWhole) {
            kept = keptRows.whole(input);
            flinkRows.inc();
        }
        next.replace(kept);
        if (element.hasTimestamp()) {
            next.setTimestamp(element.getTimestamp());
        } else {
            next.eraseTimestamp();
        }
        if (nextIsWhole && batches.isEmpty() && !engine.hasBatchesInFlight()) {
            output.collect(next);
            return true;
        }
        return false;
    }

    /** Appends what {@link #processAlone} made of the element. */
    @Override
    public boolean append(StreamRecord<RowData> element) {
        return batches.append(next);
    }

    @Override
    public ColumnBuilder columns() {
        return batches.columns();
    }

    @Override
    public boolean isEmpty() {
        return batches.isEmpty();
    }

    @Override
    public InFlightBatch<TransformedBatch> take() {
        return batches.take();
    }

    @Override
    public void mark(Mark mark) throws Exception {
        batches.mark(mark);
    }

    @Override
    public void watermark(Watermark watermark, Mark mark) throws Exception {
        batches.watermark(watermark, mark);
    }

    @Override
    public void close() throws IOException {
        try {
            batches.close();
        } finally {
            keptRows.close();
        }
    }
}
