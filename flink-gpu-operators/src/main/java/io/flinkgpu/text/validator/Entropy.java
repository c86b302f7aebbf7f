package io.flinkgpu.text.validator;

import org.apache.flink.annotation.Internal;

/**
 * Shannon entropy per byte (Shannon, "A Mathematical Theory of Communication", 1948) against a
 * threshold, in integers so that every backend decides alike.
 *
 * <p>Definition. Only the first 256 bytes are read. n is their number, c(v) how often the value v
 * is among them, and {@code T[k] = round(k * log2(k) * 2^15)} with {@code T[0] = 0}. Yes if
 *
 * <pre>  1000 * (T[n] - sum over v of T[c(v)] + n)  >=  minMilliBits * n * 2^15  </pre>
 *
 * in 64-bit integers, which is {@code entropy >= minMilliBits / 1000}: the term n is more than all
 * rounding together, so that an entropy of exactly the threshold is a yes, and less than a thousandth of
 * a bit per byte. No bytes: no.
 *
 * <p>Kernels implement the same definition with the same table.
 */
@Internal
public final class Entropy {

    /** How many bytes are read. */
    public static final int MAX_BYTES = 256;

    /** Fraction bits of the table's entries. */
    public static final int FRACTION_BITS = 15;

    private static final int[] TABLE = newTable();

    private Entropy() {}

    /**
     * Whether {@code bytes[from, to)} has at least the entropy.
     *
     * @param counts room for 256 counters, all 0; they are 0 again on return
     */
    public static boolean accepts(
            byte[] bytes, int from, int to, int minMilliBits, short[] counts) {
        int length = Math.min(to - from, MAX_BYTES);
        long sum = 0;
        for (int i = from; i < from + length; i++) {
            int count = counts[bytes[i] & 0xff]++;
            sum += TABLE[count + 1] - TABLE[count];
        }
        for (int i = from; i < from + length; i++) {
            counts[bytes[i] & 0xff] = 0;
        }
        return isAtLeast(length, sum, minMilliBits);
    }

    /** Whether bytes have at least the entropy: their number, and the sum of T[c(v)]. */
    static boolean isAtLeast(int length, long sum, int minMilliBits) {
        return length > 0
                && 1000 * (TABLE[length] - sum + length)
                        >= (long) minMilliBits * length << FRACTION_BITS;
    }

    /** T[count]. */
    static int term(int count) {
        return TABLE[count];
    }

    /** The table T, 257 entries; the caller owns the copy. */
    public static int[] table() {
        return TABLE.clone();
    }

    private static int[] newTable() {
        int[] table = new int[MAX_BYTES + 1];
        for (int k = 2; k <= MAX_BYTES; k++) {
            // StrictMath: the same table on every JVM.
            double bits = k * (StrictMath.log(k) / StrictMath.log(2));
            table[k] = (int) Math.round(bits * (1 << FRACTION_BITS));
        }
        return table;
    }
}
