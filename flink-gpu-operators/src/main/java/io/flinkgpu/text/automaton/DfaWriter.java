package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Lays a minimal automaton out as a {@link Dfa}: merges equal columns and numbers the states. */
@Internal
public final class DfaWriter {

    private DfaWriter() {}

    public static Dfa write(StateTable table, ByteClasses ranges) throws TooLargeException {
        int endSymbol = table.symbols() - 1;
        int[] classOfRange = new int[endSymbol];
        int[] rangeOfClass = new int[endSymbol + 1];
        int classes = mergeColumns(table, classOfRange, rangeOfClass);
        rangeOfClass[classes++] = endSymbol;

        int strideShift = 32 - Integer.numberOfLeadingZeros(classes - 1);
        long tableBytes = (long) table.states() << strideShift + 1;
        if (table.states() > Dfa.MAX_STATES || tableBytes > Dfa.MAX_TABLE_BYTES) {
            throw new TooLargeException(
                    "%d states, or %d bytes of transitions,"
                            .formatted(
                                    Math.min(table.states() - 1, Dfa.MAX_STATES),
                                    Math.min(tableBytes - 1, Dfa.MAX_TABLE_BYTES)));
        }
        int[] order = breadthFirst(table);
        int[] numberOf = new int[table.states()];
        int finals = number(table, order, numberOf, 0, 1);
        int matches = number(table, order, numberOf, 1, finals);
        number(table, order, numberOf, 2, matches);

        char[] next = new char[table.states() << strideShift];
        byte[] rules = new byte[matches];
        byte[] backOffs = new byte[matches];
        for (int state = 0; state < table.states(); state++) {
            int row = numberOf[state] << strideShift;
            for (int c = 0; c < classes; c++) {
                next[row + c] = (char) numberOf[table.next(state, rangeOfClass[c])];
            }
            if (table.match()[state] != 0) {
                int match = table.match()[state] - 1;
                rules[numberOf[state]] = (byte) (match >> 2);
                backOffs[numberOf[state]] = (byte) (match & 3);
            }
        }
        byte[] classOf = new byte[256];
        for (int b = 0; b < classOf.length; b++) {
            classOf[b] = (byte) classOfRange[ranges.classOf(b)];
        }
        char[] start = new char[table.start().length];
        for (int before = 0; before < start.length; before++) {
            start[before] = (char) numberOf[table.start()[before]];
        }
        return new Dfa(classOf, classes, strideShift, next, finals, rules, backOffs, start);
    }

    private static int mergeColumns(StateTable table, int[] classOfRange, int[] rangeOfClass) {
        Map<IntKey, Integer> known = new HashMap<>();
        for (int range = 0; range < classOfRange.length; range++) {
            int[] column = new int[table.states()];
            for (int state = 0; state < column.length; state++) {
                column[state] = table.next(state, range);
            }
            int fresh = known.size();
            Integer old = known.putIfAbsent(new IntKey(column), fresh);
            classOfRange[range] = old == null ? fresh : old;
            if (old == null) {
                rangeOfClass[fresh] = range;
            }
        }
        return known.size();
    }

    /** The states in the order of their distance from a start, so that used ones lie together. */
    private static int[] breadthFirst(StateTable table) {
        int[] order = new int[table.states()];
        boolean[] queued = new boolean[order.length];
        queued[Dfa.DEAD] = true;
        int count = 1;
        for (int start : table.start()) {
            if (!queued[start]) {
                queued[start] = true;
                order[count++] = start;
            }
        }
        for (int i = 1; i < count; i++) {
            for (int symbol = 0; symbol < table.symbols(); symbol++) {
                int target = table.next(order[i], symbol);
                if (!queued[target]) {
                    queued[target] = true;
                    order[count++] = target;
                }
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Numbers the states of a kind: 0 final, 1 match, 2 neither; the next free number. */
    private static int number(StateTable table, int[] order, int[] numberOf, int kind, int from) {
        int number = from;
        for (int i = 1; i < order.length; i++) {
            if (kindOf(table, order[i]) == kind) {
                numberOf[order[i]] = number++;
            }
        }
        return number;
    }

    private static int kindOf(StateTable table, int state) {
        if (table.match()[state] == 0) {
            return 2;
        }
        for (int symbol = 0; symbol < table.symbols(); symbol++) {
            if (table.next(state, symbol) != Dfa.DEAD) {
                return 1;
            }
        }
        return 0;
    }
}
