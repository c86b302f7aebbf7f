package io.flinkgpu.program;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Operation;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** From expressions of numbers and conditions to nodes. */
final class ValueLowering {

    private final Graph graph;
    private final TextLowering texts;
    private final Map<Expression, Node> known = new HashMap<>();
    private final Map<Operation, Function<Expression, Node>> composed = composed();

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
        Optional<OpCode> code = OpCode.of(e.operation());
        if (code.isPresent()) {
            return texts.strict(code.get(), e, operands(e, code.get()));
        }
        Function<Expression, Node> made = composed.get(e.operation());
        if (made == null) {
            throw noValue(e);
        }
        return made.apply(e);
    }

    /** How values are made by operations that are no instruction, or one for each type. */
    private Map<Operation, Function<Expression, Node>> composed() {
        Map<Operation, Function<Expression, Node>> made = new EnumMap<>(Operation.class);
        made.put(Operation.COLUMN, e -> graph.load(load(e.type()), Column.Input.of(e)));
        made.put(Operation.LITERAL, e -> literal(e.type(), e.arguments().get(0)));
        made.put(Operation.EQUAL, e -> strict(equal(e), e));
        made.put(Operation.LESS, e -> strict(less(e.operands().get(0).type()), e));
        made.put(Operation.IS_NULL, e -> isNull(e.operands().get(0)));
        made.put(Operation.AND, e -> graph.and(operand(e, 0), operand(e, 1)));
        made.put(Operation.OR, e -> graph.or(operand(e, 0), operand(e, 1)));
        made.put(Operation.NOT, e -> graph.not(operand(e, 0)));
        made.put(Operation.WHEN, e -> graph.select(operand(e, 0), operand(e, 1), operand(e, 2)));
        made.put(Operation.COALESCE, this::coalesce);
        return made;
    }

    private static OpCode load(ColumnType type) {
        return type == ColumnType.BOOLEAN ? OpCode.LOAD_CONDITION : OpCode.LOAD_NUMBER;
    }

    private static OpCode less(ColumnType type) {
        return type == ColumnType.DOUBLE ? OpCode.LESS_DOUBLE : OpCode.LESS_LONG;
    }

    private static OpCode equal(Expression e) {
        return switch (e.operands().get(0).type().kind()) {
            case TEXT -> OpCode.EQUAL_TEXT;
            case DOUBLE -> OpCode.EQUAL_DOUBLE;
            case LONG -> OpCode.EQUAL_LONG;
            case BOOLEAN, BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR -> throw noValue(e);
        };
    }

    private Node isNull(Expression of) {
        return of.type() == ColumnType.TEXT ? texts.isNull(of) : graph.isNull(value(of));
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
        return graph.strict(code, 0, 0, null, operands(e, code));
    }

    private Node[] operands(Expression e, OpCode code) {
        Node[] operands = new Node[e.operands().size()];
        for (int i = 0; i < operands.length; i++) {
            operands[i] =
                    code.ignoresCase() ? texts.sliceOfAnyCase(e.operands().get(i)) : operand(e, i);
        }
        return operands;
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
}
