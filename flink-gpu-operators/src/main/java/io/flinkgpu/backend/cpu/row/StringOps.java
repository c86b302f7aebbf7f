package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.transform.Automaton;
import io.flinkgpu.backend.cpu.transform.BlockOp;
import io.flinkgpu.backend.cpu.transform.BlockOps;
import io.flinkgpu.backend.cpu.transform.Conditions;
import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.backend.cpu.transform.TextConditions;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.Pass;

/**
 * What each instruction does to one row whose texts are {@code String}s, bound to its registers; {@link
 * BlockOps} and {@link TextConditions} do the same in blocks. A second implementation, for the first would
 * need the texts as bytes; one of both, over positions of bytes or chars, took 10 to 30 % longer.
 */
final class StringOps {

    private final StringRegisters registers;
    private final Automaton[] automata;
    private final BlockOps values;

    /**
     * @param columns of the row that is worked on
     */
    StringOps(Pass pass, StringRegisters registers, BlockOps.Columns columns) {
        this.registers = registers;
        automata = pass.automata().stream().map(Automaton::new).toArray(Automaton[]::new);
        values = new BlockOps(registers.numbers, registers.conditions, columns);
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
                yield texts -> substring(a, position, count, to, texts);
            }
            case LEFT -> texts -> left(a, count, to, texts);
            case RIGHT -> texts -> right(a, count, to, texts);
            case SPLIT -> {
                StringSlice after = registers.text(it.toSecond());
                String separator = separator(it);
                yield texts -> split(a, separator, to, after, texts);
            }
            case SPLIT_PART -> {
                String separator = separator(it);
                yield texts -> splitPart(a, separator, count, to, texts);
            }
            case TRIM -> texts -> trim(a, to, texts);
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
            case LENGTH -> texts -> length(a, number, texts);
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

    private static void substring(
            StringSlice a, long number, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int from = Utf16.skip(text, a.begin, a.end, number - 1);
        to.put(a, from, Utf16.skip(text, from, a.end, count));
    }

    private static void left(StringSlice a, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
        } else {
            to.put(a, a.begin, Utf16.skip(texts[a.source], a.begin, a.end, count));
        }
    }

    private static void right(StringSlice a, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
        } else {
            to.put(a, Utf16.skipBack(texts[a.source], a.begin, a.end, count), a.end);
        }
    }

    private static void split(
            StringSlice a,
            String separator,
            StringSlice before,
            StringSlice after,
            String[] texts) {
        if (a.isNull()) {
            before.putNull();
            after.putNull();
            return;
        }
        int at = Utf16.find(texts[a.source], a.begin, a.end, separator);
        before.put(a, a.begin, at < 0 ? a.end : at);
        after.put(a, at < 0 ? a.begin : at + separator.length(), a.end);
    }

    private static void splitPart(
            StringSlice a, String separator, int number, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int from = a.begin;
        for (int part = 1; part < number; part++) {
            int at = Utf16.find(text, from, a.end, separator);
            if (at < 0) {
                to.putNull();
                return;
            }
            from = at + separator.length();
        }
        int at = Utf16.find(text, from, a.end, separator);
        to.put(a, from, at < 0 ? a.end : at);
    }

    private static void trim(StringSlice a, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int begin = a.begin;
        int end = a.end;
        while (begin < end && text.charAt(begin) == ' ') {
            begin++;
        }
        while (begin < end && text.charAt(end - 1) == ' ') {
            end--;
        }
        to.put(a, begin, end);
    }

    private static boolean equal(StringSlice a, StringSlice b, String[] texts) {
        int length = a.length();
        if (length != b.length()) {
            return false;
        }
        String text = texts[a.source];
        String other = texts[b.source];
        // The JDK compares all of two texts in words, and parts of them a char at a time.
        return length == text.length() && length == other.length()
                ? text.equals(other)
                : text.regionMatches(a.begin, other, b.begin, length);
    }

    private static boolean contains(StringSlice a, StringSlice b, String[] texts) {
        if (b.length() == 0) {
            return true;
        }
        Utf16.requireWhole(b.first(texts), b.last(texts));
        return Utf16.find(texts[a.source], a.begin, a.end, b.of(texts)) >= 0;
    }

    private static boolean startsWith(StringSlice a, StringSlice b, String[] texts) {
        return matchesAt(a.begin, a, b, texts);
    }

    private static boolean endsWith(StringSlice a, StringSlice b, String[] texts) {
        return matchesAt(a.end - b.length(), a, b, texts);
    }

    private static boolean matchesAt(int at, StringSlice a, StringSlice b, String[] texts) {
        if (b.length() == 0) {
            return true;
        }
        Utf16.requireWhole(b.first(texts), b.last(texts));
        return b.length() <= a.length()
                && texts[a.source].regionMatches(at, texts[b.source], b.begin, b.length());
    }

    private static void length(StringSlice a, Numbers to, String[] texts) {
        to.nulls[0] = a.isNull();
        to.words[0] = a.isNull() ? 0 : Utf16.count(texts[a.source], a.begin, a.end);
    }

    /** Of two texts that are not null. */
    @FunctionalInterface
    private interface Comparison {

        boolean test(StringSlice a, StringSlice b, String[] texts);
    }
}
