package io.flinkgpu.program;

import java.util.List;

/**
 * A value of a row under compilation: what an instruction gives, or a text that is there already. Made
 * by {@link Graph}, which gives the same node for the same value, so that identity is equality.
 */
final class Node {

    /** What kind of register holds a value. */
    enum Bank {
        TEXT,
        NUMBER,
        CONDITION
    }

    /**
     * What a node is.
     *
     * @param code of its instruction; null for a text column or literal. {@code SPLIT} is a node for
     *     each of its results: number 0 is before, 1 is behind
     * @param operands what the instruction reads, a condition that selects first
     * @param count the instruction's
     * @param number the instruction's
     * @param constant a {@link Column}, a literal's String, or a WholeMatcher; else null
     */
    record Spec(OpCode code, List<Node> operands, int count, long number, Object constant) {}

    private final Spec spec;
    private final int stage;
    private final boolean neverNull;

    Node(Spec spec) {
        this.spec = spec;
        int latest = spec.constant() instanceof Column column ? column.stage() : 0;
        for (Node operand : spec.operands()) {
            latest = Math.max(latest, operand.stage);
        }
        this.stage = latest;
        this.neverNull = cannotBeNull();
    }

    OpCode code() {
        return spec.code();
    }

    List<Node> operands() {
        return spec.operands();
    }

    Node operand(int index) {
        return spec.operands().get(index);
    }

    int count() {
        return spec.count();
    }

    long number() {
        return spec.number();
    }

    Object constant() {
        return spec.constant();
    }

    /** The first stage that has all columns it is computed from. */
    int stage() {
        return stage;
    }

    /** Whether it is a column of text as it is. */
    boolean isTextColumn() {
        return code() == null && constant() instanceof Column;
    }

    boolean isTextLiteral() {
        return code() == null && constant() instanceof String;
    }

    /** Whether it is a constant that is null. */
    boolean isNull() {
        return code() == OpCode.NULL_TEXT
                || code() == OpCode.NULL_NUMBER
                || code() == OpCode.LITERAL_CONDITION && number() == Graph.NULL;
    }

    /** Whether it is a constant that is not null. */
    boolean isLiteral() {
        return isTextLiteral()
                || code() == OpCode.LITERAL_NUMBER
                || code() == OpCode.LITERAL_CONDITION && number() != Graph.NULL;
    }

    Bank bank() {
        return code() == null ? Bank.TEXT : bank(code());
    }

    static Bank bank(OpCode code) {
        return switch (code) {
            case SUBSTRING,
                    LEFT,
                    RIGHT,
                    SPLIT,
                    SPLIT_PART,
                    TRIM,
                    NULL_TEXT,
                    SELECT_TEXT,
                    COALESCE_TEXT ->
                    Bank.TEXT;
            case LENGTH, LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER, COALESCE_NUMBER ->
                    Bank.NUMBER;
            default -> Bank.CONDITION;
        };
    }

    /** Whether a condition is true or false in every row. */
    boolean isNeverNull() {
        return neverNull;
    }

    private boolean cannotBeNull() {
        return switch (bank() == Bank.CONDITION ? code() : OpCode.NULL_TEXT) {
            case IS_NULL_TEXT, IS_NULL_NUMBER, IS_NULL_CONDITION, IS_TRUE -> true;
            case LITERAL_CONDITION -> number() != Graph.NULL;
            case AND, OR, NOT -> operands().stream().allMatch(Node::isNeverNull);
            case SELECT_CONDITION -> operand(1).neverNull && operand(2).neverNull;
            case COALESCE_CONDITION -> operand(1).neverNull;
            default -> false;
        };
    }
}
