package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

/**
 * The grid that squares are summed on: bins of 32 bits, bin b counting in units of 2^(32 b) times the
 * square of the values' own unit, which for doubles is the {@link BinaryGrid}'s and for integers 1. A
 * square of at most 126 bits is never negative, and lies across {@value #BINS_PER_SQUARE} neighbouring
 * bins; its parts, less than 2^32 each, are added to the bins as 64-bit integers. No double's square
 * overflows or underflows.
 *
 * <p>It is the grid of the values twice as fine: values in bins from b up to e of theirs, the last
 * excluded, have squares in bins from 2 b up to 2 e.
 */
@Internal
public final class SquareGrid {

    /** Neighbouring bins that one square touches. */
    public static final int BINS_PER_SQUARE = 5;

    /** Bins for each bin of the values. */
    public static final int BINS_PER_BIN = 2;

    private static final long LIMB = 0xffff_ffffL;

    private SquareGrid() {}

    /** The distance in bits from the grid's least unit to that of a finite double's square. */
    public static int position(int exponent) {
        return 2 * BinaryGrid.position(exponent);
    }

    /** The upper 64 bits of the square of a magnitude or an integer. */
    public static long high(long number) {
        return Math.multiplyHigh(number, number);
    }

    /** The lower 64 bits. */
    public static long low(long number) {
        return number * number;
    }

    /**
     * What a square adds to its first bin; the next bins are those of {@link #middle} and {@link
     * #upper}, the lower half of each before the upper one.
     *
     * @param shift the bits from the bin's unit to the square's, 0 to 31
     */
    public static long first(long low, int shift) {
        return low << shift & LIMB;
    }

    /** What it adds to the second and the third. */
    public static long middle(long high, long low, int shift) {
        return low >>> BinaryGrid.BIN_BITS - shift | high << BinaryGrid.BIN_BITS + shift;
    }

    /** What it adds to the fourth and the fifth. */
    public static long upper(long high, int shift) {
        return high >>> BinaryGrid.BIN_BITS - shift;
    }

    /** The lower of two bins' parts. */
    public static long lower(long two) {
        return two & LIMB;
    }

    /** The upper one. */
    public static long higher(long two) {
        return two >>> BinaryGrid.BIN_BITS;
    }
}
