package io.flinkgpu.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a program under compilation, each value once; folds what is constant. */
final class Graph {

    static final long FALSE = 0;
    static final long TRUE = 1;
    static final long NULL = 2;

    /** The number of a split's first result. */
    static final long BEFORE = 0;

    /** The number of a split's second result. */
    static final long BEHIND = 1;

    private final Map<Node.Spec, Node> nodes = new HashMap<>();

    Node textColumn(Column column) {
        return node(null, List.of(), 0, 0, column);
    }

    Node text(String value) {
        return value == null
                ? node(OpCode.NULL_TEXT, List.of(), 0, 0, null)
                : node(null, List.of(), 0, 0, value);
    }

    /** @param bits of the number; null for a number that is null */
    Node number(Long bits) {
        return bits == null
                ? node(OpCode.NULL_NUMBER, List.of(), 0, 0, null)
                : node(OpCode.LITERAL_NUMBER, List.of(), 0, bits, null);
    }

    /** @param value {@link #FALSE}, {@link #TRUE} or {@link #NULL} */
    Node condition(long value) {
        return node(OpCode.LITERAL_CONDITION, List.of(), 0, value, null);
    }

    Node load(OpCode code, Column column) {
        return node(code, List.of(), 0, 0, column);
    }

    /** An instruction that gives null for a null operand. */
    Node strict(OpCode code, int count, long number, Object constant, Node... operands) {
        Node node = node(code, List.of(operands), count, number, constant);
        for (Node operand : operands) {
            if (operand.isNull()) {
                return nullOf(node.bank());
            }
        }
        return node;
    }

    Node isNull(Node value) {
        if (value.isNull() || value.isLiteral()) {
            return condition(value.isNull() ? TRUE : FALSE);
        }
        return switch (value.bank()) {
            case TEXT -> node(OpCode.IS_NULL_TEXT, value);
            case NUMBER -> node(OpCode.IS_NULL_NUMBER, value);
            case CONDITION ->
                    value.isNeverNull() ? condition(FALSE) : node(OpCode.IS_NULL_CONDITION, value);
        };
    }

    /** Where a condition is true; never null. */
    Node isTrue(Node condition) {
        if (condition.isNull()) {
            return condition(FALSE);
        }
        return condition.isNeverNull() ? condition : node(OpCode.IS_TRUE, condition);
    }

    Node not(Node condition) {
        if (condition.code() == OpCode.LITERAL_CONDITION) {
            return condition(condition.isNull() ? NULL : TRUE - condition.number());
        }
        return condition.code() == OpCode.NOT ? condition.operand(0) : node(OpCode.NOT, condition);
    }

    Node and(Node left, Node right) {
        return connect(OpCode.AND, FALSE, TRUE, left, right);
    }

    Node or(Node left, Node right) {
        return connect(OpCode.OR, TRUE, FALSE, left, right);
    }

    /**
     * @param decides the value that decides whatever the other operand is
     * @param neutral the value that leaves it to the other operand
     */
    private Node connect(OpCode code, long decides, long neutral, Node left, Node right) {
        if (left == right || isConstant(left, decides) || isConstant(right, neutral)) {
            return left;
        }
        if (isConstant(right, decides) || isConstant(left, neutral)) {
            return right;
        }
        return node(code, left, right);
    }

    /** The one where a condition is true, the other elsewhere. */
    Node select(Node condition, Node yes, Node no) {
        if (yes == no) {
            return yes;
        }
        if (condition.code() == OpCode.LITERAL_CONDITION) {
            return isConstant(condition, TRUE) ? yes : no;
        }
        OpCode code =
                switch (yes.bank()) {
                    case TEXT -> OpCode.SELECT_TEXT;
                    case NUMBER -> OpCode.SELECT_NUMBER;
                    case CONDITION -> OpCode.SELECT_CONDITION;
                };
        return node(code, condition, yes, no);
    }

    /** The first, or the second where that is null. */
    Node coalesce(Node first, Node second) {
        if (first.isLiteral() || first == second || second.isNull()) {
            return first;
        }
        if (first.isNull()) {
            return second;
        }
        OpCode code =
                switch (first.bank()) {
                    case TEXT -> OpCode.COALESCE_TEXT;
                    case NUMBER -> OpCode.COALESCE_NUMBER;
                    case CONDITION -> OpCode.COALESCE_CONDITION;
                };
        return node(code, first, second);
    }

    private static boolean isConstant(Node node, long value) {
        return node.code() == OpCode.LITERAL_CONDITION && node.number() == value;
    }

    private Node nullOf(OpCode.Bank bank) {
        return switch (bank) {
            case TEXT -> text(null);
            case NUMBER -> number(null);
            case CONDITION -> condition(NULL);
        };
    }

    private Node node(OpCode code, Node... operands) {
        return node(code, List.of(operands), 0, 0, null);
    }

    private Node node(OpCode code, List<Node> operands, int count, long number, Object constant) {
        return nodes.computeIfAbsent(
                new Node.Spec(code, operands, count, number, constant), Node::new);
    }
}
