package io.flinkgpu.program;

import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.OpCode.Field;

import java.util.List;

/**
 * A value of a row under compilation: what an instruction gives, or a text that is there already. Made
 * by {@link Graph}, which gives the same node for the same value, so that identity is equality.
 */
final class Node {

    /**
     * What a node is.
     *
     * @param code of its instruction; null for a text column or literal. {@code SPLIT} is a node for
     *     each of its results: number 0 is before, 1 is after
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
        return code() == null ? Bank.TEXT : code().bank();
    }

    /** Whether a condition is true or false in every row. */
    boolean isNeverNull() {
        return neverNull;
    }

    private boolean cannotBeNull() {
        if (bank() != Bank.CONDITION || code().isNeverNull()) {
            return bank() == Bank.CONDITION;
        }
        int values = operands().size();
        int first = code() == OpCode.COALESCE_CONDITION || code().uses(Field.SELECTOR) ? 1 : 0;
        return isLiteral()
                || first < values
                        && operands().subList(first, values).stream().allMatch(Node::isNeverNull);
    }
}
