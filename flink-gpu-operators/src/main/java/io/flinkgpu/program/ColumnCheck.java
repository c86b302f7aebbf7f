package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Checks that expressions read columns that there are, and collects which. */
final class ColumnCheck {

    private final Map<String, ColumnType> columns;
    private final Set<String> read = new HashSet<>();

    ColumnCheck(Map<String, ColumnType> columns) {
        this.columns = columns;
    }

    /** @throws IllegalArgumentException naming the expression and the column */
    void check(Expression expression) {
        check(expression, expression);
    }

    /** Whether a column was read by an expression checked before. */
    boolean isRead(String name) {
        return read.contains(name);
    }

    private void check(Expression part, Expression whole) {
        part.operands().forEach(operand -> check(operand, whole));
        if (part.operation() != Operation.COLUMN) {
            return;
        }
        String name = (String) part.arguments().get(0);
        ColumnType type = columns.get(name);
        if (type == null) {
            throw new IllegalArgumentException(
                    "there is no column '%s': columns=%s, expression=%s"
                            .formatted(name, columns.keySet(), whole.shown()));
        }
        if (type != part.type()) {
            throw new IllegalArgumentException(
                    "column '%s' is %s, not %s: %s: expression=%s"
                            .formatted(name, type, part.type(), remedy(type, name), whole.shown()));
        }
        read.add(name);
    }

    private static String remedy(ColumnType type, String name) {
        return switch (type.kind()) {
            case TEXT -> "name it with col(\"" + name + "\")";
            case LONG -> "name it with longCol(\"" + name + "\")";
            case DOUBLE -> "name it with doubleCol(\"" + name + "\")";
            case BOOLEAN -> "name it with booleanCol(\"" + name + "\")";
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR -> "no expression reads it";
        };
    }
}
