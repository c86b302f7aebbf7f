package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

/**
 * What a value adds to a {@link DistinctSketch}: a number of 32 bits that depends on a hash of the value
 * alone. It is that of Apache DataSketches, so sketches that others made of the same values agree.
 *
 * <pre>
 *   bits 0-25   the address: its lower bits are a register's number
 *   bits 26-31  the leading zeros of the hash's other half, and 1 more; at most 63
 * </pre>
 */
@Internal
public final class Coupons {

    static final int ADDRESS_BITS = 26;

    private static final int ADDRESS = (1 << ADDRESS_BITS) - 1;
    private static final int MOST_ZEROS = 62;

    private Coupons() {}

    /** Of an integer, or of a decimal's unscaled value. */
    public static int ofLong(long value) {
        return of(MurmurHash.of(value));
    }

    /** Of a float or double; -0.0 is 0.0, and all NaNs are one. */
    public static int ofDouble(double value) {
        // The sum makes 0.0 of -0.0.
        return ofLong(Double.doubleToLongBits(value + 0.0));
    }

    /** Of a text's UTF-8 bytes. An empty one counts; DataSketches leaves it out. */
    public static int ofText(byte[] bytes, int at, int length) {
        return of(MurmurHash.of(bytes, at, length));
    }

    private static int of(MurmurHash hash) {
        int zeros = Math.min(Long.numberOfLeadingZeros(hash.high()), MOST_ZEROS);
        return zeros + 1 << ADDRESS_BITS | (int) hash.low() & ADDRESS;
    }

    static int rank(int coupon) {
        return coupon >>> ADDRESS_BITS;
    }
}
