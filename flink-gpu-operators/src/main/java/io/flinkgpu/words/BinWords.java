package io.flinkgpu.words;

import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.SquareGrid;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Adds numbers to words off the heap: to the bins of sums, one at each stride, and to extremes. */
@Internal
public final class BinWords {

    private static final long LIMB = 0xffff_ffffL;

    private BinWords() {}

    /**
     * Adds a finite double.
     *
     * @param bin the address of the least bin that it touches
     * @param exponent the double's
     */
    public static void addDouble(long bin, long strideBytes, long bits, int exponent) {
        long number = BinaryGrid.number(bits, exponent);
        int shift = BinaryGrid.shift(exponent);
        add(bin, BinaryGrid.first(number, shift));
        add(bin + strideBytes, BinaryGrid.second(number, shift));
        add(bin + 2 * strideBytes, BinaryGrid.third(number, shift));
    }

    /**
     * Adds a finite double's square.
     *
     * @param bin the address of the square bin that is twice the least bin that the double touches
     */
    public static void addSquareOfDouble(long bin, long strideBytes, long bits, int exponent) {
        long magnitude = BinaryGrid.magnitude(bits, exponent);
        long low = SquareGrid.low(magnitude);
        long high = SquareGrid.high(magnitude);
        int position = SquareGrid.position(exponent) & 2 * BinaryGrid.BIN_BITS - 1;
        int shift = position & BinaryGrid.BIN_BITS - 1;
        long middle = SquareGrid.middle(high, low, shift);
        long upper = SquareGrid.upper(high, shift);
        long at = bin + (position >> 5) * strideBytes;
        add(at, SquareGrid.first(low, shift));
        add(at + strideBytes, SquareGrid.lower(middle));
        add(at + 2 * strideBytes, SquareGrid.higher(middle));
        add(at + 3 * strideBytes, SquareGrid.lower(upper));
        add(at + 4 * strideBytes, SquareGrid.higher(upper));
    }

    /**
     * Adds an integer's square to bins 0 and 1, and unless the integer has 32 bits to 2 and 3.
     *
     * @param bin the address of bin 0
     */
    public static void addSquareOfInteger(long bin, long strideBytes, long number) {
        long low = SquareGrid.low(number);
        add(bin, low & LIMB);
        add(bin + strideBytes, low >>> BinaryGrid.BIN_BITS);
        if ((int) number != number) {
            long high = SquareGrid.high(number);
            add(bin + 2 * strideBytes, high & LIMB);
            add(bin + 3 * strideBytes, high >>> BinaryGrid.BIN_BITS);
        }
    }

    /**
     * Adds any number in a bin's unit, what does not fit 32 bits to the next bin.
     *
     * @param bin the address of the bin
     */
    public static void addSplit(long bin, long strideBytes, long amount) {
        int digit = (int) amount;
        add(bin, digit);
        if (digit != amount) {
            add(bin + strideBytes, (amount >> BinaryGrid.BIN_BITS) + (digit >>> 31));
        }
    }

    /** Keeps the least in a word and the greatest in the next one. */
    public static void addExtremes(long address, long least, long greatest) {
        if (least < MemoryUtil.getLong(address)) {
            MemoryUtil.putLong(address, least);
        }
        if (greatest > MemoryUtil.getLong(address + Long.BYTES)) {
            MemoryUtil.putLong(address + Long.BYTES, greatest);
        }
    }

    /** Adds to a word. */
    public static void add(long address, long amount) {
        MemoryUtil.putLong(address, MemoryUtil.getLong(address) + amount);
    }
}
