package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From expressions to a program. */
@Internal
public final class ProgramCompiler {

    private ProgramCompiler() {}

    /**
     * Compiles expressions. What several of them have in common is computed once, and columns that none
     * of them reads are not part of the program. A result that is a column as it is, or another result
     * again, is that column: results can be columns read, and can repeat.
     *
     * @param columns the columns of a row, in order, with their types
     * @param expressions what is computed of them
     * @throws IllegalArgumentException for an unknown column, one of another type, or a program that is
     *     too large, naming the expression and the column
     */
    public static Program compile(
            Map<String, ColumnType> columns, List<? extends Expression> expressions) {
        ColumnCheck check = new ColumnCheck(columns);
        expressions.forEach(check::check);
        List<Column.Input> inputs = new ArrayList<>();
        columns.forEach(
                (name, type) -> {
                    if (check.isRead(name)) {
                        inputs.add(new Column.Input(name, type));
                    }
                });
        ComputedColumns computed = new ComputedColumns();
        TextLowering lowering = new TextLowering(new Graph(), computed);
        List<Column> results = new ArrayList<>();
        for (Expression expression : expressions) {
            results.add(lowering.column(expression));
        }
        StepPlanner planner = new StepPlanner(inputs, computed.expressions());
        List<Step> steps = planner.steps();
        return new Program(
                inputs.stream().map(Column.Input::name).toList(),
                inputs.stream().map(Column.Input::type).toList(),
                steps,
                results.stream().map(planner::numberOf).toList(),
                results.stream().map(Column::type).toList());
    }
}
