package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;

import java.util.Arrays;

/** Binds the instructions that read no text to registers of any number of rows. */
public final class ValueBinder {

    private final Numbers[] numbers;
    private final byte[][] conditions;
    private final Columns columns;

    public ValueBinder(Numbers[] numbers, byte[][] conditions, Columns columns) {
        this.numbers = numbers;
        this.conditions = conditions;
        this.columns = columns;
    }

    /** Where numbers and conditions are loaded from. */
    public interface Columns {

        void load(int column, int firstRow, int rows, Numbers to);

        void load(int column, int firstRow, int rows, byte[] to);
    }

    public BlockOp bind(Instruction it) {
        return switch (it.code()) {
            case LOAD_NUMBER,
                    LITERAL_NUMBER,
                    NULL_NUMBER,
                    SELECT_NUMBER,
                    COALESCE_NUMBER,
                    EQUAL_LONG,
                    LESS_LONG,
                    EQUAL_DOUBLE,
                    LESS_DOUBLE,
                    IS_NULL_NUMBER ->
                    bindNumber(it);
            default -> bindCondition(it);
        };
    }

    private BlockOp bindNumber(Instruction it) {
        switch (it.code()) {
            case LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER, COALESCE_NUMBER:
                return bindChoice(it);
            default:
                break;
        }
        Numbers x = numbers[it.x()];
        Numbers y = numbers[it.y()];
        byte[] to = conditions[it.to()];
        return switch (it.code()) {
            case EQUAL_LONG -> (first, rows) -> NumberOps.equalLong(x, y, to, rows);
            case LESS_LONG -> (first, rows) -> NumberOps.lessLong(x, y, to, rows);
            case EQUAL_DOUBLE -> (first, rows) -> NumberOps.equalDouble(x, y, to, rows);
            case LESS_DOUBLE -> (first, rows) -> NumberOps.lessDouble(x, y, to, rows);
            default -> (first, rows) -> NumberOps.isNull(x, to, rows);
        };
    }

    private BlockOp bindChoice(Instruction it) {
        Numbers to = numbers[it.to()];
        switch (it.code()) {
            case LOAD_NUMBER:
                int column = it.count();
                return (first, rows) -> columns.load(column, first, rows, to);
            case LITERAL_NUMBER:
                Arrays.fill(to.words, it.number());
                return (first, rows) -> {};
            case NULL_NUMBER:
                Arrays.fill(to.nulls, true);
                return (first, rows) -> {};
            default:
                break;
        }
        Numbers x = numbers[it.x()];
        Numbers y = numbers[it.y()];
        if (it.code() == OpCode.COALESCE_NUMBER) {
            return (first, rows) -> NumberOps.coalesce(x, y, to, rows);
        }
        byte[] condition = conditions[it.condition()];
        return (first, rows) -> NumberOps.select(condition, x, y, to, rows);
    }

    private BlockOp bindCondition(Instruction it) {
        byte[] to = conditions[it.to()];
        switch (it.code()) {
            case LOAD_CONDITION:
                int column = it.count();
                return (first, rows) -> columns.load(column, first, rows, to);
            case LITERAL_CONDITION:
                Arrays.fill(to, (byte) it.number());
                return (first, rows) -> {};
            default:
                break;
        }
        byte[] x = conditions[it.x()];
        byte[] y = conditions[it.y()];
        switch (it.code()) {
            case AND:
                return (first, rows) -> Conditions.and(x, y, to, rows);
            case OR:
                return (first, rows) -> Conditions.or(x, y, to, rows);
            case NOT:
                return (first, rows) -> Conditions.not(x, to, rows);
            case IS_TRUE:
                return (first, rows) -> Conditions.is(Conditions.TRUE, x, to, rows);
            case IS_NULL_CONDITION:
                return (first, rows) -> Conditions.is(Conditions.NULL, x, to, rows);
            case COALESCE_CONDITION:
                return (first, rows) -> Conditions.coalesce(x, y, to, rows);
            default:
                byte[] condition = conditions[it.condition()];
                return (first, rows) -> Conditions.select(condition, x, y, to, rows);
        }
    }
}
