package io.flinkgpu.exact;

import org.apache.flink.annotation.Internal;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** A sum of longs in 128 bits, room for 2^63 of any of them. Not thread-safe. */
@Internal
public final class LongSum {

    private static final long LIMB = 0xffff_ffffL;

    // Where the grid has 1, which is 2^1074 of its units.
    private static final int ONE_BIN = 33;
    private static final int ONE_SHIFT = 18;

    // Every integer up to here is a double.
    private static final long EXACT_DOUBLES = 1L << 53;

    private long low;
    private long high;

    /** An empty sum: 0. */
    public LongSum() {}

    public LongSum(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /** The lower 64 bits. */
    public long low() {
        return low;
    }

    /** The upper 64 bits, the sign's included. */
    public long high() {
        return high;
    }

    public void add(long value) {
        add(value >> 63, value);
    }

    /** Adds a number of 128 bits. */
    public void add(long otherHigh, long otherLow) {
        low += otherLow;
        high += otherHigh + (Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0);
    }

    public void add(LongSum other) {
        add(other.high, other.low);
    }

    /** Whether the sum is in the range of a long. */
    public boolean fitsLong() {
        return high == low >> 63;
    }

    public BigInteger toBigInteger() {
        return new BigInteger(
                ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array());
    }

    /**
     * The sum divided by a count, rounded once to the nearest double, ties to even.
     *
     * @param count positive
     */
    public double dividedBy(long count) {
        if (count <= 0) {
            throw new IllegalArgumentException("a count is positive: count=" + count);
        }
        if (fitsLong() && isExactDouble(low) && isExactDouble(count)) {
            return (double) low / (double) count;
        }
        long[] bins = {
            (low & LIMB) << ONE_SHIFT,
            (low >>> 32) << ONE_SHIFT,
            (high & LIMB) << ONE_SHIFT,
            (high >> 32) << ONE_SHIFT
        };
        return Digits.of(ONE_BIN, bins).dividedBy(count);
    }

    public LongSum copy() {
        return new LongSum(high, low);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LongSum that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    @Override
    public String toString() {
        return toBigInteger().toString();
    }

    private static boolean isExactDouble(long value) {
        return value >= -EXACT_DOUBLES && value <= EXACT_DOUBLES;
    }
}
