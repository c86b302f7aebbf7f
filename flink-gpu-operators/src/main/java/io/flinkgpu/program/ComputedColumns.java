package io.flinkgpu.program;

import io.flinkgpu.api.expression.Expression;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The columns that a program computes, each once, sources first. */
final class ComputedColumns {

    private final Map<Column, Expression> expressions = new LinkedHashMap<>();

    /**
     * Adds a column if it is not there.
     *
     * @param expression that needs it
     */
    Column add(Column column, Expression expression) {
        expressions.putIfAbsent(column, expression);
        return column;
    }

    /** The columns in the order in which they were added, each with an expression that needs it. */
    Map<Column, Expression> expressions() {
        return Collections.unmodifiableMap(expressions);
    }
}
