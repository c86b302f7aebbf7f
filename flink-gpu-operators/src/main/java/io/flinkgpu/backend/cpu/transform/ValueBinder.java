package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.OpCode.Field;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/** Binds the instructions that read no text to registers of any number of rows. */
@Internal
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

    /**
     * @throws IllegalArgumentException if the instruction reads or writes text
     */
    public BlockOp bind(Instruction it) {
        OpCode code = it.code();
        Numbers number = code.bank() == Bank.NUMBER ? numbers[it.to()] : null;
        Numbers a = code.uses(Field.NUMBER_X) ? numbers[it.x()] : null;
        Numbers b = code.uses(Field.NUMBER_Y) ? numbers[it.y()] : null;
        byte[] to = code.bank() == Bank.CONDITION ? conditions[it.to()] : null;
        byte[] x = code.uses(Field.CONDITION_X) ? conditions[it.x()] : null;
        byte[] y = code.uses(Field.CONDITION_Y) ? conditions[it.y()] : null;
        byte[] selector = code.uses(Field.SELECTOR) ? conditions[it.condition()] : null;
        int column = it.count();
        return switch (code) {
            case LOAD_NUMBER -> (first, rows) -> columns.load(column, first, rows, number);
            case LITERAL_NUMBER -> {
                Arrays.fill(number.words, it.number());
                yield (first, rows) -> {};
            }
            case NULL_NUMBER -> {
                Arrays.fill(number.nulls, true);
                yield (first, rows) -> {};
            }
            case SELECT_NUMBER -> (first, rows) -> NumberOps.select(selector, a, b, number, rows);
            case COALESCE_NUMBER -> (first, rows) -> NumberOps.coalesce(a, b, number, rows);
            case EQUAL_LONG -> (first, rows) -> NumberOps.equalLong(a, b, to, rows);
            case LESS_LONG -> (first, rows) -> NumberOps.lessLong(a, b, to, rows);
            case EQUAL_DOUBLE -> (first, rows) -> NumberOps.equalDouble(a, b, to, rows);
            case LESS_DOUBLE -> (first, rows) -> NumberOps.lessDouble(a, b, to, rows);
            case IS_NULL_NUMBER -> (first, rows) -> NumberOps.isNull(a, to, rows);
            case LOAD_CONDITION -> (first, rows) -> columns.load(column, first, rows, to);
            case LITERAL_CONDITION -> {
                Arrays.fill(to, (byte) it.number());
                yield (first, rows) -> {};
            }
            case AND -> (first, rows) -> Conditions.and(x, y, to, rows);
            case OR -> (first, rows) -> Conditions.or(x, y, to, rows);
            case NOT -> (first, rows) -> Conditions.not(x, to, rows);
            case IS_TRUE -> (first, rows) -> Conditions.is(Conditions.TRUE, x, to, rows);
            case IS_NULL_CONDITION -> (first, rows) -> Conditions.is(Conditions.NULL, x, to, rows);
            case SELECT_CONDITION -> (first, rows) -> Conditions.select(selector, x, y, to, rows);
            case COALESCE_CONDITION -> (first, rows) -> Conditions.coalesce(x, y, to, rows);
            case SUBSTRING, LEFT, RIGHT, SPLIT, SPLIT_PART, TRIM -> throw ofText(it);
            case NULL_TEXT, SELECT_TEXT, COALESCE_TEXT, LENGTH, MATCHES -> throw ofText(it);
            case EQUAL_TEXT, CONTAINS, STARTS_WITH, ENDS_WITH, IS_EMPTY, IS_NULL_TEXT ->
                    throw ofText(it);
        };
    }

    private static IllegalArgumentException ofText(Instruction it) {
        return new IllegalArgumentException("an instruction of text: code=" + it.code());
    }
}
