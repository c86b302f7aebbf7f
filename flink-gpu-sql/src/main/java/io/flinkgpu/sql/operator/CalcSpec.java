package io.flinkgpu.sql.operator;

import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.program.Program;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.RowData;

import java.util.List;
import java.util.Objects;

/**
 * A Calc of Flink SQL: a condition and columns, of which a program computes some in batches and Flink's own
 * code does the rest, row by row before. A row with a text that the program has no exact answer for is Flink's
 * code's alone. Rows keep their kind and order.
 *
 * @param program computes columns in batches
 * @param arguments the columns that it reads, in its order
 * @param flink what Flink's code does
 * @param outputs for each column of the output that of the row which is kept, or {@code -1 - i} for result
 *     {@code i} of the program. The row which is kept has the columns that the function computes, or those of
 *     the input that {@code flink} names
 */
@Internal
public record CalcSpec(
        Program program, List<Argument> arguments, FlinkPart flink, List<Integer> outputs)
        implements BatchSpec<RowData, RowData, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public CalcSpec {
        Objects.requireNonNull(program, "program");
        arguments = List.copyOf(arguments);
        Objects.requireNonNull(flink, "flink");
        outputs = List.copyOf(outputs);
    }

    @Override
    public BatchFunction<RowData, TransformedBatch> open(
            BatchEngine<RowData, TransformedBatch> engine, BatchContext<RowData, RowData> context)
            throws Exception {
        engine.open(context, new TransformPlan(program));
        return new CalcFunction(this, engine, context);
    }

    /**
     * The columns of the output, of a row that is kept.
     *
     * @param copied whether the row has only the columns that are kept of the input
     */
    int[] columns(boolean copied) {
        return outputs.stream()
                .mapToInt(
                        column ->
                                column < 0 || copied || flink.computes()
                                        ? column
                                        : flink.columns().get(column))
                .toArray();
    }
}
