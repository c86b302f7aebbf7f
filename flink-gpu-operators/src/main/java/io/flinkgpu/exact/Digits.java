package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * A number on the {@link BinaryGrid} in its only form: each digit is a signed 32-bit integer that counts
 * in the unit of its bin, and neither the least nor the greatest digit is 0. Zero has no digits.
 * Immutable.
 */
@Internal
public final class Digits {

    private static final int FRACTION_BITS = 52;
    private static final int GREATEST_SHIFT = 2045;

    private final int firstBin;
    private final int[] digits;

    private Digits(int firstBin, int[] digits) {
        this.firstBin = firstBin;
        this.digits = digits;
    }

    /**
     * The sum of some bins.
     *
     * @param firstBin the bin that {@code bins[0]} is
     * @param bins at most 2^63 - 2^32 away from 0
     */
    public static Digits of(int firstBin, long[] bins) {
        // A bin can carry 2^31, which is a carry again.
        int[] digits = new int[bins.length + 2];
        long carry = 0;
        for (int i = 0; i < digits.length; i++) {
            long sum = i < bins.length ? bins[i] + carry : carry;
            int digit = (int) sum;
            digits[i] = digit;
            carry = (sum >> BinaryGrid.BIN_BITS) + (digit >>> 31);
        }
        int from = 0;
        int to = digits.length;
        while (to > 0 && digits[to - 1] == 0) {
            to--;
        }
        while (from < to && digits[from] == 0) {
            from++;
        }
        return from == to
                ? new Digits(0, new int[0])
                : new Digits(firstBin + from, Arrays.copyOfRange(digits, from, to));
    }

    /** The bin of the least digit; 0 for zero. */
    public int firstBin() {
        return firstBin;
    }

    public int size() {
        return digits.length;
    }

    /** Digit {@code i} counts in the unit of bin {@code firstBin() + i}. */
    public int digit(int i) {
        return digits[i];
    }

    /** The number in the unit of its first bin. */
    BigInteger toBigInteger() {
        BigInteger number = BigInteger.ZERO;
        for (int i = digits.length - 1; i >= 0; i--) {
            number = number.shiftLeft(BinaryGrid.BIN_BITS).add(BigInteger.valueOf(digits[i]));
        }
        return number;
    }

    /**
     * The number divided by a positive one, rounded once to the nearest double, ties to even. Zero is
     * 0.0; a negative quotient that is rounded to zero is -0.0.
     */
    double dividedBy(long divisor) {
        if (digits.length == 0) {
            return 0.0;
        }
        boolean negative = digits[digits.length - 1] < 0;
        int[] limbs = magnitude(negative);
        LongDivision division = new LongDivision(divisor);
        int at = limbs.length - 1;
        int first = 0;
        while (first == 0) {
            first = division.next(at >= 0 ? limbs[at] : 0);
            at--;
        }
        int topBin = firstBin + at + 1;
        int second = division.next(at >= 0 ? limbs[at] : 0);
        int third = division.next(at >= 1 ? limbs[at - 1] : 0);
        at -= 2;
        int leading = Integer.numberOfLeadingZeros(first);
        long upper = (long) first << 32 | Integer.toUnsignedLong(second);
        long shiftedThird = Integer.toUnsignedLong(third) << leading;
        long top = upper << leading | shiftedThird >>> 32;
        boolean inexact = (int) shiftedThird != 0 || division.hasRemainder();
        for (; at >= 0 && !inexact; at--) {
            inexact = limbs[at] != 0;
        }
        long bits = round(top, topBin * BinaryGrid.BIN_BITS + 31 - leading, inexact);
        return Double.longBitsToDouble(negative ? bits | Long.MIN_VALUE : bits);
    }

    /** The absolute value, in unsigned digits. */
    private int[] magnitude(boolean negative) {
        int[] limbs = new int[digits.length];
        long borrow = 0;
        for (int i = 0; i < limbs.length; i++) {
            long limb = borrow + (negative ? -(long) digits[i] : digits[i]);
            limbs[i] = (int) limb;
            borrow = limb >> BinaryGrid.BIN_BITS;
        }
        return limbs;
    }

    /**
     * The bits of the nearest double.
     *
     * @param top the upper 64 bits of the number, of which the first is set
     * @param position the first bit's, 0 being the grid's unit; may be negative
     * @param inexact whether bits that are set follow the upper 64
     */
    static long round(long top, int position, boolean inexact) {
        int shift = Math.max(position - FRACTION_BITS, 0);
        if (shift > GREATEST_SHIFT) {
            return Double.doubleToLongBits(Double.POSITIVE_INFINITY);
        }
        int keptBits = Math.min(position, FRACTION_BITS) + 1;
        if (keptBits < 0) {
            return 0;
        }
        long kept = keptBits == 0 ? 0 : top >>> (Long.SIZE - keptBits);
        long rest = top << keptBits;
        boolean half = rest == Long.MIN_VALUE;
        boolean up = half ? inexact || (kept & 1) != 0 : rest < 0;
        // A fraction that overflows raises the exponent, up to infinity's.
        return ((long) shift << FRACTION_BITS) + kept + (up ? 1 : 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digits that
                && firstBin == that.firstBin
                && Arrays.equals(digits, that.digits);
    }

    @Override
    public int hashCode() {
        return 31 * firstBin + Arrays.hashCode(digits);
    }

    @Override
    public String toString() {
        return Arrays.toString(digits) + "@" + firstBin;
    }

    /** Divides limb by limb, from the greatest down. */
    private static final class LongDivision {

        private final long divisor;
        private long remainder;

        LongDivision(long divisor) {
            this.divisor = divisor;
        }

        /** The quotient's next limb. */
        int next(int limb) {
            if (divisor >> 31 == 0) {
                long dividend = remainder << BinaryGrid.BIN_BITS | Integer.toUnsignedLong(limb);
                long quotient = dividend / divisor;
                remainder = dividend - quotient * divisor;
                return (int) quotient;
            }
            return nextByBits(limb);
        }

        private int nextByBits(int limb) {
            int quotient = 0;
            for (int bit = BinaryGrid.BIN_BITS - 1; bit >= 0; bit--) {
                remainder = remainder << 1 | (limb >>> bit & 1);
                quotient <<= 1;
                if (Long.compareUnsigned(remainder, divisor) >= 0) {
                    remainder -= divisor;
                    quotient |= 1;
                }
            }
            return quotient;
        }

        boolean hasRemainder() {
            return remainder != 0;
        }
    }
}
