package io.flinkgpu.program;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Expression;

import java.util.List;
import java.util.Map;

/** From expressions to a program. */
public final class ProgramCompiler {

    private ProgramCompiler() {}

    /**
     * Compiles expressions. What several of them have in common is computed once, and columns that none
     * of them reads are not part of the program.
     *
     * @param columns the columns of a row, in order, with their types
     * @param expressions what is computed of them
     * @throws IllegalArgumentException for an unknown column, one of another type, or a program that is
     *     too large, naming the expression and the column
     */
    public static Program compile(
            Map<String, ColumnType> columns, List<? extends Expression> expressions) {
        throw new UnsupportedOperationException();
    }
}
