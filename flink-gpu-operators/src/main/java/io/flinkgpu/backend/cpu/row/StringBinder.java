package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.transform.Automaton;
import io.flinkgpu.backend.cpu.transform.BlockOp;
import io.flinkgpu.backend.cpu.transform.Conditions;
import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.backend.cpu.transform.ValueBinder;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
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
        return switch (it.code()) {
            // Registers are null at first.
            case NULL_TEXT -> texts -> {};
            case SUBSTRING, LEFT, RIGHT, SPLIT, SPLIT_PART, TRIM, SELECT_TEXT, COALESCE_TEXT ->
                    bindText(it);
            case LENGTH -> {
                StringSlice a = registers.text(it.a());
                Numbers to = registers.numbers[it.to()];
                yield texts -> StringOps.length(a, to, texts);
            }
            case EQUAL_TEXT, CONTAINS, STARTS_WITH, ENDS_WITH -> bindComparison(it);
            case IS_EMPTY, IS_NULL_TEXT, MATCHES -> bindTest(it);
            default -> {
                BlockOp value = values.bind(it);
                yield texts -> value.run(0, 1);
            }
        };
    }

    private StringOp bindText(Instruction it) {
        StringSlice a = registers.text(it.a());
        StringSlice to = registers.text(it.to());
        int count = it.count();
        switch (it.code()) {
            case SUBSTRING:
                long number = it.number();
                return texts -> StringOps.substring(a, number, count, to, texts);
            case LEFT:
                return texts -> StringOps.left(a, count, to, texts);
            case RIGHT:
                return texts -> StringOps.right(a, count, to, texts);
            case SPLIT:
                StringSlice after = registers.text(it.toSecond());
                String separator = separator(it);
                return texts -> StringOps.split(a, separator, to, after, texts);
            case SPLIT_PART:
                String between = separator(it);
                return texts -> StringOps.splitPart(a, between, count, to, texts);
            case TRIM:
                return texts -> StringOps.trim(a, to, texts);
            default:
                return bindChoice(it, a, to);
        }
    }

    private StringOp bindChoice(Instruction it, StringSlice a, StringSlice to) {
        StringSlice b = registers.text(it.b());
        if (it.code() == OpCode.SELECT_TEXT) {
            byte[] condition = registers.conditions[it.condition()];
            return texts -> to.put(condition[0] == Conditions.TRUE ? a : b);
        }
        return texts -> to.put(a.isNull() ? b : a);
    }

    /** What a text is split by; the compiler gives no other than constants. */
    private String separator(Instruction it) {
        if (it.b().kind() != Operand.Kind.LITERAL) {
            throw new IllegalArgumentException(
                    "a separator is a constant: code=" + it.code() + ", separator=" + it.b());
        }
        return registers.literal(it.b().index());
    }

    private StringOp bindComparison(Instruction it) {
        StringSlice a = registers.text(it.a());
        StringSlice b = registers.text(it.b());
        byte[] to = registers.conditions[it.to()];
        Comparison comparison =
                switch (it.code()) {
                    case EQUAL_TEXT -> StringOps::equal;
                    case CONTAINS -> StringOps::contains;
                    case STARTS_WITH -> StringOps::startsWith;
                    default -> StringOps::endsWith;
                };
        return texts ->
                to[0] =
                        a.isNull() || b.isNull()
                                ? Conditions.NULL
                                : Conditions.of(comparison.test(a, b, texts));
    }

    private StringOp bindTest(Instruction it) {
        StringSlice a = registers.text(it.a());
        byte[] to = registers.conditions[it.to()];
        switch (it.code()) {
            case IS_EMPTY:
                return texts ->
                        to[0] = a.isNull() ? Conditions.NULL : Conditions.of(a.length() == 0);
            case IS_NULL_TEXT:
                return texts -> to[0] = Conditions.of(a.isNull());
            default:
                Automaton automaton = automata[it.count()];
                return texts ->
                        to[0] =
                                a.isNull()
                                        ? Conditions.NULL
                                        : Conditions.of(
                                                automaton.matches(texts[a.source], a.begin, a.end));
        }
    }

    /** Of two texts that are not null. */
    @FunctionalInterface
    private interface Comparison {

        boolean test(StringSlice a, StringSlice b, String[] texts);
    }
}
