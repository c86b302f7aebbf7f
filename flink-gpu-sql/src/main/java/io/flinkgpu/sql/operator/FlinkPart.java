package io.flinkgpu.sql.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.generated.GeneratedFunction;
import org.apache.flink.table.types.logical.LogicalType;

import java.io.Serializable;
import java.util.List;

/**
 * What Flink's own code does of a Calc whose other columns a program computes.
 *
 * @param function drops a row that does not meet the condition, and computes a row of what the program does
 *     not; null where there is no condition and nothing to compute
 * @param computes whether the function computes a row; else what it lets pass is the input
 * @param columns of the input that the output has, where the function computes no row
 * @param columnTypes their types
 * @param outputTypes of all columns of the output
 * @param whole computes all columns, for rows with texts that the program has no exact answer for
 */
@Internal
public record FlinkPart(
        GeneratedFunction<FlatMapFunction<RowData, RowData>> function,
        boolean computes,
        List<Integer> columns,
        List<LogicalType> columnTypes,
        List<LogicalType> outputTypes,
        GeneratedFunction<FlatMapFunction<RowData, RowData>> whole)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public FlinkPart {
        columns = List.copyOf(columns);
        columnTypes = List.copyOf(columnTypes);
        outputTypes = List.copyOf(outputTypes);
    }
}
