package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A row of columns of each type. */
final class ExampleColumns {

    private ExampleColumns() {}

    static Map<String, ColumnType> columns() {
        Map<String, ColumnType> columns = new LinkedHashMap<>();
        columns.put("id", ColumnType.LONG);
        columns.put("name", ColumnType.TEXT);
        columns.put("visibility", ColumnType.TEXT);
        columns.put("city", ColumnType.TEXT);
        columns.put("score", ColumnType.DOUBLE);
        columns.put("active", ColumnType.BOOLEAN);
        return columns;
    }

    static Program compile(Expression... expressions) {
        return ProgramCompiler.compile(columns(), List.of(expressions));
    }

    /** Compares the disassembly of what expressions are compiled to. */
    static void assertProgram(String expected, Expression... expressions) {
        assertThat(compile(expressions).explain()).isEqualTo(expected);
    }
}
