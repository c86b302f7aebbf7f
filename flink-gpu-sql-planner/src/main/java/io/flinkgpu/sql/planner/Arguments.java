package io.flinkgpu.sql.planner;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.sql.operator.Argument;
import io.flinkgpu.sql.operator.TextCheck;

import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import org.apache.calcite.rex.RexNode;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The columns that the program of a Calc can read: those of the input, and what Flink's code computes for it. */
final class Arguments {

    private final RowType input;
    private final Map<RexNode, String> names = new HashMap<>();
    private final Map<String, Column> columns = new LinkedHashMap<>();

    Arguments(RowType input) {
        this.input = input;
    }

    /** A column of the input. */
    Expression ofInput(int index) throws UnsupportedException {
        String name = "in" + index;
        LogicalType type = input.getTypeAt(index);
        Expression expression = read(name, type);
        columns.putIfAbsent(name, new Column(index, null, type));
        return expression;
    }

    /** What Flink's code computes. */
    Expression computed(RexNode node) throws UnsupportedException {
        String name = names.getOrDefault(node, "flink" + names.size());
        LogicalType type = Types.logical(node.getType());
        Expression expression = read(name, type);
        names.put(node, name);
        columns.putIfAbsent(name, new Column(-1, node, type));
        return expression;
    }

    /** The types of all columns. */
    Map<String, ColumnType> types() {
        Map<String, ColumnType> types = new LinkedHashMap<>();
        columns.forEach((name, column) -> types.put(name, Argument.columnType(column.type)));
        return types;
    }

    Column column(String name) {
        return columns.get(name);
    }

    private static Expression read(String name, LogicalType type) throws UnsupportedException {
        ColumnType columnType = Argument.columnType(type);
        if (columnType == null) {
            throw new UnsupportedException("type " + type.copy(true) + " is not supported");
        }
        if (columnType == ColumnType.TEXT) {
            return Expressions.col(name);
        }
        if (columnType == ColumnType.LONG) {
            return Expressions.longCol(name);
        }
        return columnType == ColumnType.DOUBLE
                ? Expressions.doubleCol(name)
                : Expressions.booleanCol(name);
    }

    /** A column: of the input, or what Flink's code computes, in which case {@code node} is not null. */
    static final class Column {

        final int index;
        final RexNode node;
        final LogicalType type;
        private TextCheck check = TextCheck.UTF8;

        private Column(int index, RexNode node, LogicalType type) {
            this.index = index;
            this.node = node;
            this.type = type;
        }

        /** Has its texts checked for more. */
        void require(TextCheck more) {
            check = check.and(more);
        }

        TextCheck check() {
            return check;
        }
    }
}
