package io.flinkgpu.backend.cpu;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Pass;

import java.util.Arrays;
import java.util.function.IntFunction;

/** Binds the instructions of a pass to registers. */
final class Binder {

    private final Registers registers;
    private final TextSearch search;
    private final Automaton[] automata;
    private final IntFunction<InputColumn> batch;

    /**
     * @param batch the columns of the batch that is worked on
     */
    Binder(Pass pass, Registers registers, TextSearch search, IntFunction<InputColumn> batch) {
        this.registers = registers;
        this.search = search;
        this.batch = batch;
        automata = pass.automata().stream().map(Automaton::new).toArray(Automaton[]::new);
    }

    BlockOp bind(Instruction it) {
        return switch (it.code()) {
            // Registers are null at first.
            case NULL_TEXT -> (first, rows) -> {};
            case SUBSTRING, LEFT, RIGHT, SPLIT, SPLIT_PART, TRIM, SELECT_TEXT, COALESCE_TEXT ->
                    bindText(it);
            case EQUAL_TEXT,
                    CONTAINS,
                    STARTS_WITH,
                    ENDS_WITH,
                    IS_EMPTY,
                    IS_NULL_TEXT,
                    MATCHES,
                    LENGTH ->
                    bindTest(it);
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

    private BlockOp bindText(Instruction it) {
        Slices a = registers.text(it.a());
        Slices b = it.b() == null ? null : registers.text(it.b());
        Slices to = registers.text(it.to());
        int count = it.count();
        switch (it.code()) {
            case SUBSTRING:
                long number = it.number();
                return (first, rows) -> SliceOps.substring(a, number, count, to, rows);
            case LEFT:
                return (first, rows) -> SliceOps.left(a, count, to, rows);
            case RIGHT:
                return (first, rows) -> SliceOps.right(a, count, to, rows);
            case SPLIT:
                Slices after = registers.text(it.toSecond());
                return (first, rows) -> SliceOps.split(a, b, search, to, after, rows);
            case SPLIT_PART:
                return (first, rows) -> SliceOps.splitPart(a, b, count, search, to, rows);
            case TRIM:
                return (first, rows) -> SliceOps.trim(a, to, rows);
            case SELECT_TEXT:
                byte[] condition = registers.conditions[it.condition()];
                return (first, rows) -> SliceOps.select(condition, a, b, to, rows);
            default:
                return (first, rows) -> SliceOps.coalesce(a, b, to, rows);
        }
    }

    private BlockOp bindTest(Instruction it) {
        Slices a = registers.text(it.a());
        Slices b = it.b() == null ? null : registers.text(it.b());
        switch (it.code()) {
            case LENGTH:
                Numbers number = registers.numbers[it.to()];
                return (first, rows) -> TextTests.length(a, number, rows);
            case MATCHES:
                Automaton automaton = automata[it.count()];
                byte[] matches = registers.conditions[it.to()];
                return (first, rows) -> TextTests.matches(a, automaton, matches, rows);
            default:
                break;
        }
        byte[] to = registers.conditions[it.to()];
        return switch (it.code()) {
            case EQUAL_TEXT -> (first, rows) -> testEqual(a, b, to, rows);
            case CONTAINS -> (first, rows) -> TextTests.contains(a, b, search, to, rows);
            case STARTS_WITH -> (first, rows) -> TextTests.startsWith(a, b, to, rows);
            case ENDS_WITH -> (first, rows) -> TextTests.endsWith(a, b, to, rows);
            case IS_EMPTY -> (first, rows) -> TextTests.isEmpty(a, to, rows);
            default -> (first, rows) -> TextTests.isNull(a, to, rows);
        };
    }

    private void testEqual(Slices a, Slices b, byte[] to, int rows) {
        if (registers.isSlackBehind()) {
            TextTests.equalLoosely(a, b, to, rows);
        } else {
            TextTests.equal(a, b, to, rows);
        }
    }

    private BlockOp bindNumber(Instruction it) {
        switch (it.code()) {
            case LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER, COALESCE_NUMBER:
                return bindChoice(it);
            default:
                break;
        }
        Numbers x = registers.numbers[it.x()];
        Numbers y = registers.numbers[it.y()];
        byte[] to = registers.conditions[it.to()];
        return switch (it.code()) {
            case EQUAL_LONG -> (first, rows) -> NumberOps.equalLong(x, y, to, rows);
            case LESS_LONG -> (first, rows) -> NumberOps.lessLong(x, y, to, rows);
            case EQUAL_DOUBLE -> (first, rows) -> NumberOps.equalDouble(x, y, to, rows);
            case LESS_DOUBLE -> (first, rows) -> NumberOps.lessDouble(x, y, to, rows);
            default -> (first, rows) -> NumberOps.isNull(x, to, rows);
        };
    }

    private BlockOp bindChoice(Instruction it) {
        Numbers to = registers.numbers[it.to()];
        switch (it.code()) {
            case LOAD_NUMBER:
                int column = it.count();
                return (first, rows) -> batch.apply(column).load(first, rows, to);
            case LITERAL_NUMBER:
                Arrays.fill(to.words, it.number());
                return (first, rows) -> {};
            case NULL_NUMBER:
                Arrays.fill(to.nulls, true);
                return (first, rows) -> {};
            default:
                break;
        }
        Numbers x = registers.numbers[it.x()];
        Numbers y = registers.numbers[it.y()];
        if (it.code() == OpCode.COALESCE_NUMBER) {
            return (first, rows) -> NumberOps.coalesce(x, y, to, rows);
        }
        byte[] condition = registers.conditions[it.condition()];
        return (first, rows) -> NumberOps.select(condition, x, y, to, rows);
    }

    private BlockOp bindCondition(Instruction it) {
        byte[] to = registers.conditions[it.to()];
        switch (it.code()) {
            case LOAD_CONDITION:
                int column = it.count();
                return (first, rows) -> batch.apply(column).load(first, rows, to);
            case LITERAL_CONDITION:
                Arrays.fill(to, (byte) it.number());
                return (first, rows) -> {};
            default:
                break;
        }
        byte[] x = registers.conditions[it.x()];
        byte[] y = registers.conditions[it.y()];
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
                byte[] condition = registers.conditions[it.condition()];
                return (first, rows) -> Conditions.select(condition, x, y, to, rows);
        }
    }
}
