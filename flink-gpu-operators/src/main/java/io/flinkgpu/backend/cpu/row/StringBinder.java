package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.transform.Automaton;
import io.flinkgpu.backend.cpu.transform.BlockOp;
import io.flinkgpu.backend.cpu.transform.Conditions;
import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.backend.cpu.transform.ValueBinder;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

/** Binds the instructions of a pass to the registers of one row. */
final class StringBinder {

    private final StringRegisters registers;
    private final Automaton[] automata;
    private final ValueBinder values;

    /**
     * @param columns of the row that is worked on
     */
    StringBinder(Pass pass, StringRegisters registers, ValueBinder.Columns columns) {
        this.registers = registers;
        automata = pass.automata().stream().map(Automaton::new).toArray(Automaton[]::new);
        values = new ValueBinder(registers.numbers, registers.conditions, columns);
    }

    StringOp bind(Instruction it) {
        StringSlice a = it.a() == null ? null : registers.text(it.a());
        StringSlice b = it.b() == null ? null : registers.text(it.b());
        Bank bank = it.code().bank();
        StringSlice to = bank == Bank.TEXT ? registers.text(it.to()) : null;
        Numbers number = bank == Bank.NUMBER ? registers.numbers[it.to()] : null;
        byte[] test = bank == Bank.CONDITION ? registers.conditions[it.to()] : null;
        int count = it.count();
        return switch (it.code()) {
            // Registers are null at first.
            case NULL_TEXT -> texts -> {};
            case SUBSTRING -> {
                long position = it.number();
                yield texts -> StringOps.substring(a, position, count, to, texts);
            }
            case LEFT -> texts -> StringOps.left(a, count, to, texts);
            case RIGHT -> texts -> StringOps.right(a, count, to, texts);
            case SPLIT -> {
                StringSlice after = registers.text(it.toSecond());
                String separator = separator(it);
                yield texts -> StringOps.split(a, separator, to, after, texts);
            }
            case SPLIT_PART -> {
                String separator = separator(it);
                yield texts -> StringOps.splitPart(a, separator, count, to, texts);
            }
            case TRIM -> texts -> StringOps.trim(a, to, texts);
            case SELECT_TEXT -> {
                byte[] condition = registers.conditions[it.condition()];
                yield texts -> to.put(condition[0] == Conditions.TRUE ? a : b);
            }
            case COALESCE_TEXT -> texts -> to.put(a.isNull() ? b : a);
            case EQUAL_TEXT -> comparison(a, b, StringOps::equal, test);
            case CONTAINS -> comparison(a, b, StringOps::contains, test);
            case STARTS_WITH -> comparison(a, b, StringOps::startsWith, test);
            case ENDS_WITH -> comparison(a, b, StringOps::endsWith, test);
            case IS_EMPTY ->
                    texts ->
                            test[0] = a.isNull() ? Conditions.NULL : Conditions.of(a.length() == 0);
            case IS_NULL_TEXT -> texts -> test[0] = Conditions.of(a.isNull());
            case MATCHES -> matches(a, automata[count], test);
            case LENGTH -> texts -> StringOps.length(a, number, texts);
            case LOAD_NUMBER, LITERAL_NUMBER, NULL_NUMBER, SELECT_NUMBER, COALESCE_NUMBER ->
                    value(it);
            case EQUAL_LONG, LESS_LONG, EQUAL_DOUBLE, LESS_DOUBLE, IS_NULL_NUMBER -> value(it);
            case LOAD_CONDITION, LITERAL_CONDITION, SELECT_CONDITION, COALESCE_CONDITION ->
                    value(it);
            case AND, OR, NOT, IS_TRUE, IS_NULL_CONDITION -> value(it);
        };
    }

    private StringOp value(Instruction it) {
        BlockOp value = values.bind(it);
        return texts -> value.run(0, 1);
    }

    /** What a text is split by; the compiler gives only constants. */
    private String separator(Instruction it) {
        if (it.b().kind() != Operand.Kind.LITERAL) {
            throw new IllegalArgumentException(
                    "a separator is a constant: code=" + it.code() + ", separator=" + it.b());
        }
        return registers.literal(it.b().index());
    }

    private static StringOp comparison(
            StringSlice a, StringSlice b, Comparison comparison, byte[] to) {
        return texts ->
                to[0] =
                        a.isNull() || b.isNull()
                                ? Conditions.NULL
                                : Conditions.of(comparison.test(a, b, texts));
    }

    private static StringOp matches(StringSlice a, Automaton automaton, byte[] to) {
        return texts ->
                to[0] =
                        a.isNull()
                                ? Conditions.NULL
                                : Conditions.of(automaton.matches(texts[a.source], a.begin, a.end));
    }

    /** Of two texts that are not null. */
    @FunctionalInterface
    private interface Comparison {

        boolean test(StringSlice a, StringSlice b, String[] texts);
    }
}
