package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.words.BinWords;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Adds the values of a column to the groups' arrays, which are off-heap and hold a 64-bit word a group.
 */
final class GroupSums {

    private static final long LOW = 0xffff_ffffL;

    private GroupSums() {}

    static void count(ValueColumn column, long counts) {
        int[] groupOf = column.groupOf();
        for (int i = 0; i < column.size(); i++) {
            BinWords.add(counts + 8L * groupOf[i], 1);
        }
    }

    /** Keeps the least and the greatest values, doubles as {@link DoubleOrder} longs. */
    static void minMax(ValueColumn column, boolean floating, long minima, long maxima) {
        long values = column.address();
        int[] groupOf = column.groupOf();
        if (floating) {
            for (int i = 0; i < column.size(); i++) {
                minMax(
                        minima,
                        maxima,
                        groupOf[i],
                        DoubleOrder.toOrdered(MemoryUtil.getLong(values + 8L * i)));
            }
        } else {
            for (int i = 0; i < column.size(); i++) {
                minMax(minima, maxima, groupOf[i], MemoryUtil.getLong(values + 8L * i));
            }
        }
    }

    private static void minMax(long minima, long maxima, int group, long word) {
        long min = MemoryUtil.getLong(minima + 8L * group);
        long max = MemoryUtil.getLong(maxima + 8L * group);
        // Stored always, and not by Math.min: a branch would often go the other way.
        MemoryUtil.putLong(minima + 8L * group, word < min ? word : min);
        MemoryUtil.putLong(maxima + 8L * group, word > max ? word : max);
    }

    /** Adds integers: their lower halves to one array, their upper ones to the next. */
    static void sum(ValueColumn column, long bins, int groups) {
        long values = column.address();
        int[] groupOf = column.groupOf();
        long highBins = bins + 8L * groups;
        for (int i = 0; i < column.size(); i++) {
            BinWords.add(bins + 8L * groupOf[i], MemoryUtil.getLong(values + 8L * i) & LOW);
            BinWords.add(highBins + 8L * groupOf[i], MemoryUtil.getLong(values + 8L * i) >> 32);
        }
    }

    /** Adds the squares of integers. */
    static void sumSquares(ValueColumn column, long bins, int groups) {
        long values = column.address();
        int[] groupOf = column.groupOf();
        long stride = 8L * groups;
        for (int i = 0; i < column.size(); i++) {
            BinWords.addSquareOfInteger(
                    bins + 8L * groupOf[i], stride, MemoryUtil.getLong(values + 8L * i));
        }
    }

    /** Adds the finite of a column's doubles to its bins, if it has any, and marks the others. */
    static void sumDoubles(ValueColumn column, long specials, long bins, int groups) {
        if (column.hasSpecials()) {
            mark(column, specials);
        }
        if (column.bins() == 0) {
            return;
        }
        long values = column.address();
        int[] groupOf = column.groupOf();
        int firstBin = column.firstBin();
        long stride = 8L * groups;
        for (int i = 0; i < column.size(); i++) {
            long bits = MemoryUtil.getLong(values + 8L * i);
            int exponent = BinaryGrid.exponent(bits);
            long bin = bin(exponent, firstBin);
            BinWords.addDouble(bins + 8L * groupOf[i] + bin * stride, stride, bits, exponent);
        }
    }

    /** Adds the squares of a column's doubles, which are finite. */
    static void sumDoubleSquares(ValueColumn column, long bins, int groups) {
        if (column.bins() == 0) {
            return;
        }
        long values = column.address();
        int[] groupOf = column.groupOf();
        int firstBin = column.firstBin();
        long stride = 8L * groups;
        for (int i = 0; i < column.size(); i++) {
            long bits = MemoryUtil.getLong(values + 8L * i);
            int exponent = BinaryGrid.exponent(bits);
            long bin = SquareGrid.BINS_PER_BIN * bin(exponent, firstBin);
            BinWords.addSquareOfDouble(
                    bins + 8L * groupOf[i] + bin * stride, stride, bits, exponent);
        }
    }

    /** The array of a double's first bin. A zero has no part to add: its own may be before all. */
    private static int bin(int exponent, int firstBin) {
        return Math.max(0, BinaryGrid.firstBin(exponent) - firstBin);
    }

    /** Marks infinities and NaN, and makes zeros of them, which can be added. */
    private static void mark(ValueColumn column, long specials) {
        long values = column.address();
        int[] groupOf = column.groupOf();
        for (int i = 0; i < column.size(); i++) {
            long bits = MemoryUtil.getLong(values + 8L * i);
            if (!BinaryGrid.isFinite(BinaryGrid.exponent(bits))) {
                long address = specials + 8L * groupOf[i];
                MemoryUtil.putLong(address, MemoryUtil.getLong(address) | BinaryGrid.special(bits));
                MemoryUtil.putLong(values + 8L * i, 0);
            }
        }
    }
}
