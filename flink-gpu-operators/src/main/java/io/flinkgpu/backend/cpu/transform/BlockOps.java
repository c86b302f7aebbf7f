package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.CodePoints;
import io.flinkgpu.program.Instruction;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.OpCode.Bank;
import io.flinkgpu.program.OpCode.Field;
import io.flinkgpu.program.Pass;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * What the instructions of a pass do to registers of a block of rows, one loop each; those that read no text,
 * for any number of rows.
 */
@Internal
public final class BlockOps {

    private final Numbers[] numbers;
    private final byte[][] conditions;
    private final Columns columns;

    /** Null where only instructions that read no text are bound, as {@link #search}. */
    private final Registers texts;

    private final TextSearch search;
    private final Automaton[] automata;

    /**
     * @param columns of the batch that is worked on
     */
    BlockOps(Pass pass, Registers registers, TextSearch search, Columns columns) {
        numbers = registers.numbers;
        conditions = registers.conditions;
        texts = registers;
        this.search = search;
        this.columns = columns;
        automata = pass.automata().stream().map(Automaton::new).toArray(Automaton[]::new);
    }

    /** Binds instructions that read and write no text. */
    public BlockOps(Numbers[] numbers, byte[][] conditions, Columns columns) {
        this.numbers = numbers;
        this.conditions = conditions;
        this.columns = columns;
        texts = null;
        search = null;
        automata = null;
    }

    /** Where numbers and conditions are loaded from. */
    public interface Columns {

        void load(int column, int firstRow, int rows, Numbers to);

        void load(int column, int firstRow, int rows, byte[] to);
    }

    /** What an instruction does to a block of rows. */
    public BlockOp bind(Instruction it) {
        OpCode code = it.code();
        Slices a = it.a() == null ? null : texts.text(it.a());
        Slices b = it.b() == null ? null : texts.text(it.b());
        Slices text = code.bank() == Bank.TEXT ? texts.text(it.to()) : null;
        Numbers number = code.bank() == Bank.NUMBER ? numbers[it.to()] : null;
        Numbers m = code.uses(Field.NUMBER_X) ? numbers[it.x()] : null;
        Numbers n = code.uses(Field.NUMBER_Y) ? numbers[it.y()] : null;
        byte[] to = code.bank() == Bank.CONDITION ? conditions[it.to()] : null;
        byte[] x = code.uses(Field.CONDITION_X) ? conditions[it.x()] : null;
        byte[] y = code.uses(Field.CONDITION_Y) ? conditions[it.y()] : null;
        byte[] selector = code.uses(Field.SELECTOR) ? conditions[it.condition()] : null;
        int count = it.count();
        return switch (code) {
            // Registers are null at first.
            case NULL_TEXT -> (first, rows) -> {};
            case SUBSTRING -> {
                long position = it.number();
                yield (first, rows) -> substring(a, position, count, text, rows);
            }
            case LEFT -> (first, rows) -> left(a, count, text, rows);
            case RIGHT -> (first, rows) -> right(a, count, text, rows);
            case SPLIT -> {
                Slices after = texts.text(it.toSecond());
                yield (first, rows) -> split(a, b, search, text, after, rows);
            }
            case SPLIT_PART -> (first, rows) -> splitPart(a, b, count, search, text, rows);
            case TRIM -> (first, rows) -> trim(a, text, rows);
            case SELECT_TEXT -> (first, rows) -> select(selector, a, b, text, rows);
            case COALESCE_TEXT -> (first, rows) -> coalesce(a, b, text, rows);
            case EQUAL_TEXT -> (first, rows) -> testEqual(a, b, to, rows);
            case CONTAINS -> (first, rows) -> TextConditions.contains(a, b, search, to, rows);
            case STARTS_WITH -> (first, rows) -> TextConditions.startsWith(a, b, to, rows);
            case ENDS_WITH -> (first, rows) -> TextConditions.endsWith(a, b, to, rows);
            case IS_EMPTY -> (first, rows) -> TextConditions.isEmpty(a, to, rows);
            case IS_NULL_TEXT -> (first, rows) -> TextConditions.isNull(a, to, rows);
            case MATCHES -> {
                Automaton automaton = automata[count];
                yield (first, rows) -> TextConditions.matches(a, automaton, to, rows);
            }
            case LENGTH -> (first, rows) -> TextConditions.length(a, number, rows);
            case LOAD_NUMBER -> (first, rows) -> columns.load(count, first, rows, number);
            case LITERAL_NUMBER -> {
                Arrays.fill(number.words, it.number());
                yield (first, rows) -> {};
            }
            case NULL_NUMBER -> {
                Arrays.fill(number.nulls, true);
                yield (first, rows) -> {};
            }
            case SELECT_NUMBER -> (first, rows) -> NumberOps.select(selector, m, n, number, rows);
            case COALESCE_NUMBER -> (first, rows) -> NumberOps.coalesce(m, n, number, rows);
            case EQUAL_LONG -> (first, rows) -> NumberOps.equalLong(m, n, to, rows);
            case LESS_LONG -> (first, rows) -> NumberOps.lessLong(m, n, to, rows);
            case EQUAL_DOUBLE -> (first, rows) -> NumberOps.equalDouble(m, n, to, rows);
            case LESS_DOUBLE -> (first, rows) -> NumberOps.lessDouble(m, n, to, rows);
            case IS_NULL_NUMBER -> (first, rows) -> NumberOps.isNull(m, to, rows);
            case LOAD_CONDITION -> (first, rows) -> columns.load(count, first, rows, to);
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
        };
    }

    private void testEqual(Slices a, Slices b, byte[] to, int rows) {
        if (texts.isSlackBehind()) {
            TextConditions.equalLoosely(a, b, to, rows);
        } else {
            TextConditions.equal(a, b, to, rows);
        }
    }

    private static void substring(Slices a, long number, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            long end = start + length;
            long from = CodePoints.skip(start, end, number - 1);
            to.put(row, from, (int) (CodePoints.skip(from, end, count) - from));
        }
    }

    private static void left(Slices a, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            to.put(row, start, (int) (CodePoints.skip(start, start + length, count) - start));
        }
    }

    private static void right(Slices a, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long end = a.starts[row] + length;
            long from = CodePoints.skipBack(a.starts[row], end, count);
            to.put(row, from, (int) (end - from));
        }
    }

    private static void split(
            Slices a, Slices b, TextSearch search, Slices before, Slices after, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int separator = b.lengths[row];
            long start = a.starts[row];
            if ((length | separator) < 0) {
                before.putNull(row);
                after.putNull(row);
                continue;
            }
            int at = search.find(start, length, 0, b.starts[row], separator);
            int from = at < 0 ? 0 : at + separator;
            before.put(row, start, at < 0 ? length : at);
            after.put(row, start + from, length - from);
        }
    }

    private static void splitPart(
            Slices a, Slices b, int number, TextSearch search, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int separator = b.lengths[row];
            if ((length | separator) < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            int from = startOfPart(number, start, length, b.starts[row], separator, search);
            if (from < 0) {
                to.putNull(row);
                continue;
            }
            int at = search.find(start, length, from, b.starts[row], separator);
            to.put(row, start + from, (at < 0 ? length : at) - from);
        }
    }

    private static int startOfPart(
            int number, long text, int length, long what, int whatLength, TextSearch search) {
        int from = 0;
        for (int part = 1; part < number; part++) {
            int at = search.find(text, length, from, what, whatLength);
            if (at < 0) {
                return -1;
            }
            from = at + whatLength;
        }
        return from;
    }

    private static void trim(Slices a, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            long end = start + length;
            while (start < end && MemoryUtil.getByte(start) == ' ') {
                start++;
            }
            while (start < end && MemoryUtil.getByte(end - 1) == ' ') {
                end--;
            }
            to.put(row, start, (int) (end - start));
        }
    }

    private static void select(byte[] condition, Slices a, Slices b, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            Slices chosen = condition[row] == Conditions.TRUE ? a : b;
            to.put(row, chosen.starts[row], chosen.lengths[row]);
        }
    }

    private static void coalesce(Slices a, Slices b, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            Slices chosen = a.lengths[row] >= 0 ? a : b;
            to.put(row, chosen.starts[row], chosen.lengths[row]);
        }
    }
}
