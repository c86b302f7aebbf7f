package io.flinkgpu.backend.cpu;

import io.flinkgpu.column.NumberView;
import io.flinkgpu.exact.BinaryGrid;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The values of a column that are not null, one column after the other, each with the group of its
 * row. Its arrays grow with the rows of the largest batch. Not thread-safe.
 */
final class ValueColumn {

    private static final long MAGNITUDE = Long.MAX_VALUE;
    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    private static final long NAN = Double.doubleToLongBits(Double.NaN);

    /** Integers, or the bits of doubles with a single NaN. */
    long[] words = new long[0];

    private int[] validGroupOf = new int[0];
    private int[] groupOf;
    private int size;
    private int leastExponent;
    private int greatestExponent;
    private boolean hasSpecials;

    int size() {
        return size;
    }

    /** The group of each value. */
    int[] groupOf() {
        return groupOf;
    }

    /** Takes the values of a column of integers. */
    void load(NumberView column, int[] rowGroups) {
        int rows = column.rows();
        if (words.length < rows) {
            words = new long[rows];
        }
        if (column.nulls() == 0) {
            copy(column.dataAddress(), words, rows);
            groupOf = rowGroups;
            size = rows;
        } else {
            if (validGroupOf.length < rows) {
                validGroupOf = new int[rows];
            }
            groupOf = validGroupOf;
            size = copyValid(column, rowGroups, validGroupOf, words);
        }
    }

    /** Takes the values of a column of doubles. */
    void loadDoubles(NumberView column, int[] rowGroups) {
        load(column, rowGroups);
        long least = INFINITY;
        long greatest = 0;
        boolean specials = false;
        for (int i = 0; i < size; i++) {
            long magnitude = words[i] & MAGNITUDE;
            if (magnitude >= INFINITY) {
                specials = true;
                words[i] = magnitude == INFINITY ? words[i] : NAN;
            } else {
                greatest = Math.max(greatest, magnitude);
                // Zeros are in no bin.
                least = magnitude == 0 ? least : Math.min(least, magnitude);
            }
        }
        hasSpecials = specials;
        leastExponent = BinaryGrid.exponent(least);
        greatestExponent = greatest == 0 ? -1 : BinaryGrid.exponent(greatest);
    }

    /** Whether there are infinities or NaN. */
    boolean hasSpecials() {
        return hasSpecials;
    }

    /** The least of the grid's bins that finite values touch; 0 if they touch none. */
    int firstBin() {
        return greatestExponent < 0 ? 0 : BinaryGrid.firstBin(leastExponent);
    }

    /** How many bins finite values touch. */
    int bins() {
        return greatestExponent < 0
                ? 0
                : BinaryGrid.firstBin(greatestExponent) + BinaryGrid.BINS_PER_VALUE - firstBin();
    }

    private static void copy(long address, long[] into, int rows) {
        for (int row = 0; row < rows; row++) {
            into[row] = MemoryUtil.getLong(address + 8L * row);
        }
    }

    private static int copyValid(NumberView column, int[] rowGroups, int[] groups, long[] into) {
        long data = column.dataAddress();
        long validity = column.validityAddress();
        int next = 0;
        for (int row = 0; row < column.rows(); row++) {
            into[next] = MemoryUtil.getLong(data + 8L * row);
            groups[next] = rowGroups[row];
            next += MemoryUtil.getByte(validity + (row >> 3)) >> (row & 7) & 1;
        }
        return next;
    }
}
