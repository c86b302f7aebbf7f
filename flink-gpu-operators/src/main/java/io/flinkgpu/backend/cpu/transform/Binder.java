package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.Pass;

/** Binds the instructions of a pass to registers. */
final class Binder {

    private final Registers registers;
    private final TextSearch search;
    private final Automaton[] automata;
    private final ValueBinder values;

    /**
     * @param columns of the batch that is worked on
     */
    Binder(Pass pass, Registers registers, TextSearch search, ValueBinder.Columns columns) {
        this.registers = registers;
        this.search = search;
        values = new ValueBinder(registers.numbers, registers.conditions, columns);
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
            default -> values.bind(it);
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
}
