package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode.Bank;
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
        Slices a = it.a() == null ? null : registers.text(it.a());
        Slices b = it.b() == null ? null : registers.text(it.b());
        Bank bank = it.code().bank();
        Slices to = bank == Bank.TEXT ? registers.text(it.to()) : null;
        Numbers number = bank == Bank.NUMBER ? registers.numbers[it.to()] : null;
        byte[] test = bank == Bank.CONDITION ? registers.conditions[it.to()] : null;
        int count = it.count();
        return switch (it.code()) {
            // Registers are null at first.
            case NULL_TEXT -> (first, rows) -> {};
            case SUBSTRING -> {
                long position = it.number();
                yield (first, rows) -> SliceOps.substring(a, position, count, to, rows);
            }
            case LEFT -> (first, rows) -> SliceOps.left(a, count, to, rows);
            case RIGHT -> (first, rows) -> SliceOps.right(a, count, to, rows);
            case SPLIT -> {
                Slices after = registers.text(it.toSecond());
                yield (first, rows) -> SliceOps.split(a, b, search, to, after, rows);
            }
            case SPLIT_PART -> (first, rows) -> SliceOps.splitPart(a, b, count, search, to, rows);
            case TRIM -> (first, rows) -> SliceOps.trim(a, to, rows);
            case SELECT_TEXT -> {
                byte[] condition = registers.conditions[it.condition()];
                yield (first, rows) -> SliceOps.select(condition, a, b, to, rows);
            }
            case COALESCE_TEXT -> (first, rows) -> SliceOps.coalesce(a, b, to, rows);
            case EQUAL_TEXT -> (first, rows) -> testEqual(a, b, test, rows);
            case CONTAINS -> (first, rows) -> TextConditions.contains(a, b, search, test, rows);
            case STARTS_WITH -> (first, rows) -> TextConditions.startsWith(a, b, test, rows);
            case ENDS_WITH -> (first, rows) -> TextConditions.endsWith(a, b, test, rows);
            case IS_EMPTY -> (first, rows) -> TextConditions.isEmpty(a, test, rows);
            case IS_NULL_TEXT -> (first, rows) -> TextConditions.isNull(a, test, rows);
            case MATCHES -> {
                Automaton automaton = automata[count];
                yield (first, rows) -> TextConditions.matches(a, automaton, test, rows);
            }
            case LENGTH -> (first, rows) -> TextConditions.length(a, number, rows);
            case LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER, COALESCE_NUMBER ->
                    values.bind(it);
            case EQUAL_LONG, LESS_LONG, EQUAL_DOUBLE, LESS_DOUBLE, IS_NULL_NUMBER ->
                    values.bind(it);
            case LOAD_CONDITION, LITERAL_CONDITION, SELECT_CONDITION, COALESCE_CONDITION ->
                    values.bind(it);
            case AND, OR, NOT, IS_TRUE, IS_NULL_CONDITION -> values.bind(it);
        };
    }

    private void testEqual(Slices a, Slices b, byte[] to, int rows) {
        if (registers.isSlackBehind()) {
            TextConditions.equalLoosely(a, b, to, rows);
        } else {
            TextConditions.equal(a, b, to, rows);
        }
    }
}
