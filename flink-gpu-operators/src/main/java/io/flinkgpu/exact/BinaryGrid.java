package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

/**
 * The grid that sums of doubles are kept on: bins of 32 bits, bin b counting in units of 2^(32 b -
 * 1074), of which the least is the least positive double. A finite double is a whole number of units
 * that lies across {@value #BINS_PER_VALUE} neighbouring bins; its parts, none of them 2^32 or
 * more away from 0, are added to the bins as 64-bit integers. These additions commute, so a sum does not depend
 * on their order; a bin holds 2^31 of them.
 *
 * <p>The idea is Kulisch's long accumulator, in the form of R. Neal, "Fast Exact Summation Using Small
 * and Large Superaccumulators" (arXiv:1505.05571, 2015).
 */
@Internal
public final class BinaryGrid {

    public static final int BIN_BITS = 32;

    /** Bins that a value can touch: 0 to 65. */
    public static final int VALUE_BINS = 66;

    /** Neighbouring bins that one value touches. */
    public static final int BINS_PER_VALUE = 3;

    /** Additions that a bin has room for. */
    public static final long MAX_ADDITIONS = 1L << 31;

    /** Set among the specials of a sum when a NaN was added. */
    public static final int NAN = 1;

    /** Set when positive infinity was added. */
    public static final int POSITIVE_INFINITY = 2;

    /** Set when negative infinity was added. */
    public static final int NEGATIVE_INFINITY = 4;

    private static final int FRACTION_BITS = 52;
    private static final long FRACTION = (1L << FRACTION_BITS) - 1;
    private static final int EXPONENT = 0x7ff;
    private static final long LIMB = 0xffff_ffffL;

    private BinaryGrid() {}

    /** The biased exponent of a double's bits; 2047 for what is not finite. */
    public static int exponent(long bits) {
        return (int) (bits >>> FRACTION_BITS) & EXPONENT;
    }

    public static boolean isFinite(int exponent) {
        return exponent != EXPONENT;
    }

    /** Which of the specials a double that is not finite sets. */
    public static int special(long bits) {
        if ((bits & FRACTION) != 0) {
            return NAN;
        }
        return bits < 0 ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
    }

    /** The distance in bits from the grid's least unit to the value's. */
    public static int position(int exponent) {
        return exponent == 0 ? 0 : exponent - 1;
    }

    /** The least of the bins that a finite double with this exponent touches. */
    public static int firstBin(int exponent) {
        return position(exponent) >> 5;
    }

    /** The value as a multiple of its unit, without its sign. */
    public static long magnitude(long bits, int exponent) {
        long fraction = bits & FRACTION;
        return exponent == 0 ? fraction : fraction | 1L << FRACTION_BITS;
    }

    /** The value as a multiple of its unit. */
    public static long number(long bits, int exponent) {
        long sign = bits >> Long.SIZE - 1;
        return (magnitude(bits, exponent) ^ sign) - sign;
    }

    /** How far a value's unit is from that of its least bin, in bits. */
    public static int shift(int exponent) {
        return position(exponent) & BIN_BITS - 1;
    }

    /** What a number adds to its least bin; only what it adds to the third has its sign. */
    public static long first(long number, int shift) {
        return number << shift & LIMB;
    }

    /** What it adds to the second. */
    public static long second(long number, int shift) {
        return number >> BIN_BITS - shift & LIMB;
    }

    /** What it adds to the third. */
    public static long third(long number, int shift) {
        return number >> BIN_BITS - shift >> BIN_BITS;
    }
}
