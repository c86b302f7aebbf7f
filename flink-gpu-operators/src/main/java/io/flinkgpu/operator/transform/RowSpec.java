package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.RowBatchBuilder;
import io.flinkgpu.column.RowReader;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.RecordBatches;
import io.flinkgpu.program.Program;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;

import java.util.List;
import java.util.Objects;

/**
 * Computes expressions of each record, a row each, in batches, or as soon as it comes where the backend
 * prefers that. Then a record that needs a batch opens one, and those after it join it, so that all keep
 * their order, until no batch is open or on its way any more. A record leaves as what the mapper makes of
 * it and of its results, or not at all.
 *
 * @param columns how records are read
 * @param program tells which columns are read and what the results are
 * @param resultNames of the program's results, in order
 */
@Internal
public record RowSpec<T, R>(
        Columns<T> columns, Program program, List<String> resultNames, TransformMapper<T, R> mapper)
        implements BatchSpec<T, R, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public RowSpec {
        Objects.requireNonNull(columns, "columns");
        Objects.requireNonNull(program, "program");
        resultNames = List.copyOf(resultNames);
        Objects.requireNonNull(mapper, "mapper");
    }

    /**
     * The bytes of the columns of as many batches of this policy as may be in flight, with
     * results whose texts are about as long as what they are made of.
     */
    public static long neededBytes(BatchPolicy policy, Program program) {
        int rows = policy.maxRows();
        int bytes = policy.maxBytes();
        return InFlightBatches.MAX_COLUMNS
                / 2
                * (RowBatchBuilder.fullBatchBytes(rows, bytes, program.types())
                        + RowBatchBuilder.fullBatchBytes(rows, bytes, program.resultTypes()));
    }

    @Override
    public BatchFunction<T, TransformedBatch> open(
            BatchEngine<T, TransformedBatch> engine, BatchContext<T, R> context) throws Exception {
        CompiledProgram<TransformedBatch> compiled =
                engine.open(context, new TransformPlan(program));
        BatchPolicy policy = context.options().batchPolicy();
        List<String> names = program.columns();
        RowBatchBuilder builder =
                new RowBatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        names,
                        program.types());
        RowReader<T> reader = new RowReader<>(columns, names, context.options().errorValues());
        RowValues values = new RowValues(names.size());
        RowResults<T, R> results =
                new RowResults<>(program.resultTypes(), resultNames, mapper, context);
        Counter singleRows = BatchMetrics.group(context.metrics()).counter("singleRows");
        return new RecordBatches<>(
                engine,
                context,
                new BatchInput<>(
                        builder,
                        record -> {
                            reader.read(record, values);
                            return builder.append(values);
                        }),
                results,
                compiled.rows()
                        .map(rows -> new SingleRows<>(rows, reader, results, singleRows))
                        .orElse(null));
    }
}
