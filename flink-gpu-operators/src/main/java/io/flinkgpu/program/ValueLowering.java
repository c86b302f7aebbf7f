package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.text.WholeMatcher;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** From expressions of numbers and conditions to nodes. */
final class ValueLowering {

    private final Graph graph;
    private final TextLowering texts;
    private final Map<Expression, Node> known = new HashMap<>();
    private final Map<String, WholeMatcher> matchers = new HashMap<>();

    ValueLowering(Graph graph, TextLowering texts) {
        this.graph = graph;
        this.texts = texts;
    }

    Node value(Expression expression) {
        Node value = known.get(expression);
        if (value == null) {
            value = newValue(expression);
            known.put(expression, value);
        }
        return value;
    }

    private Node newValue(Expression e) {
        return switch (e.operation()) {
            case COLUMN ->
                    graph.load(
                            e.type() == ColumnType.BOOLEAN
                                    ? OpCode.LOAD_CONDITION
                                    : OpCode.LOAD_NUMBER,
                            Column.Input.of(e));
            case LITERAL -> literal(e.type(), e.arguments().get(0));
            case LENGTH -> anyCase(OpCode.LENGTH, e);
            case CONTAINS -> strict(OpCode.CONTAINS, e);
            case STARTS_WITH -> strict(OpCode.STARTS_WITH, e);
            case ENDS_WITH -> strict(OpCode.ENDS_WITH, e);
            case IS_EMPTY -> anyCase(OpCode.IS_EMPTY, e);
            case EQUAL ->
                    switch (e.operands().get(0).type().kind()) {
                        case TEXT -> strict(OpCode.EQUAL_TEXT, e);
                        case DOUBLE -> strict(OpCode.EQUAL_DOUBLE, e);
                        case LONG -> strict(OpCode.EQUAL_LONG, e);
                        case BOOLEAN, BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                throw noValue(e);
                    };
            case LESS ->
                    e.operands().get(0).type() == ColumnType.DOUBLE
                            ? strict(OpCode.LESS_DOUBLE, e)
                            : strict(OpCode.LESS_LONG, e);
            case MATCHES -> graph.strict(OpCode.MATCHES, 0, 0, matcher(e), operand(e, 0));
            case IS_NULL -> {
                Expression of = e.operands().get(0);
                yield of.type() == ColumnType.TEXT ? texts.isNull(of) : graph.isNull(value(of));
            }
            case AND -> graph.and(operand(e, 0), operand(e, 1));
            case OR -> graph.or(operand(e, 0), operand(e, 1));
            case NOT -> graph.not(operand(e, 0));
            case WHEN -> graph.select(operand(e, 0), operand(e, 1), operand(e, 2));
            case COALESCE -> coalesce(e);
            case CONCAT, SUBSTRING, LEFT, RIGHT, BEFORE, AFTER, SPLIT_PART, TRIM ->
                    throw noValue(e);
            case UPPER, LOWER, REPLACE, REDACT, HASH_HMAC -> throw noValue(e);
        };
    }

    private static IllegalArgumentException noValue(Expression e) {
        return new IllegalArgumentException("no number or condition: expression=" + e);
    }

    private Node literal(ColumnType type, Serializable value) {
        if (type == ColumnType.BOOLEAN) {
            return graph.condition((Boolean) value ? Graph.TRUE : Graph.FALSE);
        }
        return graph.number(
                value instanceof Double number
                        ? Double.doubleToRawLongBits(number)
                        : ((Long) value).longValue());
    }

    private Node strict(OpCode code, Expression e) {
        Node[] operands = new Node[e.operands().size()];
        for (int i = 0; i < operands.length; i++) {
            operands[i] = operand(e, i);
        }
        return graph.strict(code, 0, 0, null, operands);
    }

    /** A change of case keeps the number of code points. */
    private Node anyCase(OpCode code, Expression e) {
        return graph.strict(code, 0, 0, null, texts.sliceOfAnyCase(e.operands().get(0)));
    }

    private Node operand(Expression e, int index) {
        Expression operand = e.operands().get(index);
        return operand.type() == ColumnType.TEXT ? texts.slice(operand) : value(operand);
    }

    private Node coalesce(Expression e) {
        List<Node> all = new ArrayList<>(e.operands().stream().map(this::value).toList());
        Node last = all.remove(all.size() - 1);
        while (!all.isEmpty()) {
            last = graph.coalesce(all.remove(all.size() - 1), last);
        }
        return last;
    }

    private WholeMatcher matcher(Expression e) {
        try {
            return matchers.computeIfAbsent((String) e.arguments().get(0), WholeMatcher::compile);
        } catch (IllegalArgumentException error) {
            throw new IllegalArgumentException(
                    error.getMessage() + ": expression=" + e.shown(), error);
        }
    }
}
