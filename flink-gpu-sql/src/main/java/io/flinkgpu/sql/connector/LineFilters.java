package io.flinkgpu.sql.connector;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;

import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** From conditions of SQL to those on lines, where both keep the same rows. */
final class LineFilters {

    private static final int NANOS_OF_A_MILLI = 1_000_000;

    private static final Map<FunctionDefinition, Comparison> COMPARISONS =
            Map.of(
                    BuiltInFunctionDefinitions.LESS_THAN, Comparison.LESS,
                    BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL, Comparison.LESS_OR_EQUAL,
                    BuiltInFunctionDefinitions.EQUALS, Comparison.EQUAL,
                    BuiltInFunctionDefinitions.NOT_EQUALS, Comparison.OTHER,
                    BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL, Comparison.GREATER_OR_EQUAL,
                    BuiltInFunctionDefinitions.GREATER_THAN, Comparison.GREATER);

    private final Delimited format;
    private final List<String> columns;

    /**
     * @param columns the table's, in the order of the fields
     */
    LineFilters(Delimited format, List<String> columns) {
        this.format = format;
        this.columns = columns;
    }

    /** The same condition, or null if there is none. */
    LineFilter of(ResolvedExpression condition) {
        if (!(condition instanceof CallExpression call)) {
            return null;
        }
        List<ResolvedExpression> operands = call.getResolvedChildren();
        FunctionDefinition function = call.getFunctionDefinition();
        if (function == BuiltInFunctionDefinitions.AND
                || function == BuiltInFunctionDefinitions.OR) {
            return joined(operands, function == BuiltInFunctionDefinitions.AND);
        }
        if (function == BuiltInFunctionDefinitions.NOT) {
            LineFilter negated = of(operands.get(0));
            return negated == null ? null : LineFilter.not(negated);
        }
        if (function == BuiltInFunctionDefinitions.IS_NULL
                || function == BuiltInFunctionDefinitions.IS_NOT_NULL) {
            int column = column(operands.get(0));
            if (column < 0) {
                return null;
            }
            LineFilter isNull = isNull(column);
            return function == BuiltInFunctionDefinitions.IS_NULL ? isNull : LineFilter.not(isNull);
        }
        Comparison comparison = COMPARISONS.get(function);
        if (comparison == null || operands.size() != 2) {
            return null;
        }
        if (operands.get(1) instanceof ValueLiteralExpression constant) {
            return compared(column(operands.get(0)), comparison, constant);
        }
        return operands.get(0) instanceof ValueLiteralExpression constant
                ? compared(column(operands.get(1)), comparison.turned(), constant)
                : null;
    }

    private LineFilter joined(List<ResolvedExpression> operands, boolean and) {
        LineFilter joined = null;
        for (ResolvedExpression operand : operands) {
            LineFilter filter = of(operand);
            if (filter == null) {
                return null;
            }
            if (joined == null) {
                joined = filter;
            } else {
                joined = and ? LineFilter.and(joined, filter) : LineFilter.or(joined, filter);
            }
        }
        return joined;
    }

    private LineFilter isNull(int column) {
        return isSkipped(column) ? line -> LineFilter.TRUE : LineFilter.isNull(column);
    }

    private boolean isSkipped(int column) {
        return format.fields().get(column).format() == FieldFormat.SKIPPED;
    }

    private LineFilter compared(
            int column, Comparison comparison, ValueLiteralExpression constant) {
        if (column < 0 || constant.isNull()) {
            return null;
        }
        Field field = format.fields().get(column);
        LogicalType type = constant.getOutputDataType().getLogicalType();
        return switch (field.format()) {
            case STRING -> text(column, comparison, constant, type);
            case INT, LONG ->
                    type.is(LogicalTypeFamily.INTEGER_NUMERIC)
                            ? LineFilter.number(
                                    column,
                                    comparison,
                                    constant.getValueAs(Number.class).orElseThrow().longValue())
                            : null;
            case DOUBLE ->
                    type.is(LogicalTypeRoot.DOUBLE)
                            ? LineFilter.real(
                                    column,
                                    comparison,
                                    constant.getValueAs(Double.class).orElseThrow())
                            : null;
            case DECIMAL ->
                    type.is(LogicalTypeRoot.DECIMAL)
                            ? LineFilter.decimal(
                                    column,
                                    field.type().scale(),
                                    comparison,
                                    constant.getValueAs(BigDecimal.class).orElseThrow())
                            : null;
            case EPOCH_MILLIS, ISO_TIMESTAMP -> time(column, comparison, constant, type);
            case SKIPPED -> line -> LineFilter.UNKNOWN;
        };
    }

    private static LineFilter text(
            int column, Comparison comparison, ValueLiteralExpression constant, LogicalType type) {
        boolean equal = comparison == Comparison.EQUAL;
        if (!type.is(LogicalTypeFamily.CHARACTER_STRING)
                || !equal && comparison != Comparison.OTHER) {
            return null;
        }
        String text = constant.getValueAs(String.class).orElseThrow();
        return LineFilter.text(column, equal, text.getBytes(StandardCharsets.UTF_8));
    }

    private static LineFilter time(
            int column, Comparison comparison, ValueLiteralExpression constant, LogicalType type) {
        Instant time;
        if (type.is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)) {
            time = constant.getValueAs(LocalDateTime.class).orElseThrow().toInstant(ZoneOffset.UTC);
        } else if (type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)) {
            time = constant.getValueAs(Instant.class).orElseThrow();
        } else {
            return null;
        }
        return time.getNano() % NANOS_OF_A_MILLI == 0
                ? LineFilter.number(column, comparison, time.toEpochMilli())
                : null;
    }

    /** The column that an expression is, or -1. */
    private int column(ResolvedExpression expression) {
        return expression instanceof FieldReferenceExpression reference
                ? columns.indexOf(reference.getName())
                : -1;
    }
}
