package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

import java.math.BigInteger;

/**
 * How many numbers there are, their sum and the sum of their squares, all exact: what variance and
 * standard deviation are made of, each by one rounding to the nearest double, ties to even. Immutable.
 *
 * @param count positive
 * @param sum in units of 2^exponent * 10^-scale
 * @param squares in the square of that unit
 */
@Internal
public record Moments(long count, BigInteger sum, BigInteger squares, int exponent, int scale) {

    private static final int DOUBLE_UNIT = -1074;

    /** More bits than a double has, one to round by, and room for the quotient to be a bit shorter. */
    private static final int QUOTIENT_BITS = Long.SIZE + 2;

    /** Of integers, or of decimals as unscaled integers. */
    public static Moments ofIntegers(long count, LongSum sum, Digits squares, int scale) {
        return new Moments(
                count,
                sum.toBigInteger(),
                squares.toBigInteger().shiftLeft(BinaryGrid.BIN_BITS * squares.firstBin()),
                0,
                scale);
    }

    /** Of finite doubles. */
    public static Moments ofDoubles(long count, Digits sum, Digits squares) {
        // The square of the unit that all values share lies in the squares' first bin, at the
        // least.
        int half = squares.firstBin() / SquareGrid.BINS_PER_BIN;
        int bin = sum.size() == 0 ? half : Math.min(sum.firstBin(), half);
        int squareBin = SquareGrid.BINS_PER_BIN * bin;
        return new Moments(
                count,
                sum.toBigInteger().shiftLeft(BinaryGrid.BIN_BITS * (sum.firstBin() - bin)),
                squares.toBigInteger()
                        .shiftLeft(BinaryGrid.BIN_BITS * (squares.firstBin() - squareBin)),
                DOUBLE_UNIT + BinaryGrid.BIN_BITS * bin,
                0);
    }

    /**
     * The variance: of the numbers themselves, or of what they are a sample of, which needs two of them.
     */
    public double variance(boolean ofSample) {
        BigInteger spread = spread();
        return spread.signum() == 0 ? 0.0 : rounded(spread, divisor(ofSample), 1);
    }

    /** The square root of the exact variance. */
    public double standardDeviation(boolean ofSample) {
        BigInteger spread = spread();
        return spread.signum() == 0 ? 0.0 : rounded(spread, divisor(ofSample), 2);
    }

    /** {@code count^2} times the variance of the numbers, in the squares' unit. */
    private BigInteger spread() {
        return squares.multiply(BigInteger.valueOf(count)).subtract(sum.multiply(sum));
    }

    private BigInteger divisor(boolean ofSample) {
        BigInteger n = BigInteger.valueOf(count);
        return n.multiply(ofSample ? n.subtract(BigInteger.ONE) : n)
                .multiply(BigInteger.TEN.pow(2 * scale));
    }

    /** {@code (dividend / divisor * 2^(2 exponent))^(1 / root)}, with root 1 or 2. */
    private double rounded(BigInteger dividend, BigInteger divisor, int root) {
        int shift = root * QUOTIENT_BITS - (dividend.bitLength() - divisor.bitLength());
        // The power of two that is left has to have a root.
        shift += shift & root - 1;
        BigInteger[] quotient =
                shift >= 0
                        ? dividend.shiftLeft(shift).divideAndRemainder(divisor)
                        : dividend.divideAndRemainder(divisor.shiftLeft(-shift));
        boolean inexact = quotient[1].signum() != 0;
        BigInteger number = quotient[0];
        if (root == 2) {
            BigInteger[] roots = number.sqrtAndRemainder();
            number = roots[0];
            inexact |= roots[1].signum() != 0;
        }
        int bits = number.bitLength();
        int dropped = bits - Long.SIZE;
        inexact |= number.getLowestSetBit() < dropped;
        int unit = (2 * exponent - shift) / root;
        return Double.longBitsToDouble(
                Digits.round(
                        number.shiftRight(dropped).longValue(),
                        bits - 1 + unit - DOUBLE_UNIT,
                        inexact));
    }
}
