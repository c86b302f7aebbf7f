package io.flinkgpu.exact;

import java.math.BigInteger;

/** A sum of longs in 128 bits, room for 2^63 of any of them. Not thread-safe. */
public final class LongSum {

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
        throw new UnsupportedOperationException();
    }

    /** The sum divided by a count, rounded once to the nearest double, ties to even. */
    public double dividedBy(long count) {
        throw new UnsupportedOperationException();
    }
}
