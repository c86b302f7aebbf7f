package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Reads numbers from off-heap text, eight digits at a time, if they are written in an ordinary way; the
 * others are left to {@link io.flinkgpu.parse.LineParser}. Reads up to eight bytes after a number's end.
 *
 * <p>The product of eight digits is that of D. Lemire, "Number parsing at a gigabyte per second"
 * (Software: Practice and Experience, 2021).
 */
final class NumberText {

    /** No number, or none that is read here. (The bits of -0.0, which is not read therefore.) */
    static final long NOT_READ = Long.MIN_VALUE;

    private static final int MAX_DIGITS = 18;
    private static final long ZEROS = WordBytes.repeated('0');
    private static final long TOP_BITS = WordBytes.repeated(0x80);
    private static final long ABOVE_NINE = WordBytes.repeated(0x80 - 10);
    private static final long POINTS = WordBytes.repeated('.');
    private static final long EVEN_BYTES = 0x000000ff000000ffL;
    private static final long[] TENS = new long[MAX_DIGITS + 1];
    private static final double[] DOUBLE_TENS = new double[MAX_DIGITS + 1];

    static {
        TENS[0] = 1;
        DOUBLE_TENS[0] = 1;
        for (int i = 1; i <= MAX_DIGITS; i++) {
            TENS[i] = 10 * TENS[i - 1];
            DOUBLE_TENS[i] = TENS[i];
        }
    }

    private NumberText() {}

    /** An integer of at most 18 digits. */
    static long integer(long at, long end) {
        int first = MemoryUtil.getByte(at);
        int sign = first == '-' || first == '+' ? 1 : 0;
        int digits = (int) (end - at) - sign;
        if (digits < 1 || digits > MAX_DIGITS) {
            return NOT_READ;
        }
        long magnitude = digits(at + sign, digits);
        return magnitude < 0 ? NOT_READ : first == '-' ? -magnitude : magnitude;
    }

    /** A decimal as its unscaled value. */
    static long decimal(long at, long end, int integerDigits, int scale) {
        int first = MemoryUtil.getByte(at);
        int sign = first == '-' || first == '+' ? 1 : 0;
        long start = at + sign;
        int length = (int) Math.min(end - start, MAX_DIGITS + 2);
        int before = point(start, length);
        int after = Math.max(0, length - before - 1);
        if (before > integerDigits || after > scale || before + after == 0) {
            return NOT_READ;
        }
        long magnitude = digits(start, before, after);
        if (magnitude < 0) {
            return NOT_READ;
        }
        magnitude *= TENS[scale - after];
        return first == '-' ? -magnitude : magnitude;
    }

    /**
     * A double as its bits, if it is a quotient of two integers that are doubles as well, which is
     * rounded once: W. Clinger, "How to Read Floating Point Numbers Accurately" (PLDI 1990).
     */
    static long doubleBits(long at, long end) {
        int first = MemoryUtil.getByte(at);
        int sign = first == '-' || first == '+' ? 1 : 0;
        long start = at + sign;
        int length = (int) Math.min(end - start, MAX_DIGITS + 2);
        int before = point(start, length);
        int after = Math.max(0, length - before - 1);
        int digits = before + after;
        if (digits == 0 || digits > MAX_DIGITS) {
            return NOT_READ;
        }
        long magnitude = digits(start, before, after);
        if (magnitude < 0 || magnitude > 1L << 53) {
            return NOT_READ;
        }
        double quotient = magnitude / DOUBLE_TENS[after];
        return Double.doubleToRawLongBits(first == '-' ? -quotient : quotient);
    }

    /** How many bytes are before the first point; all if there is none. */
    private static int point(long at, int length) {
        for (int i = 0; i < length; i += Long.BYTES) {
            long marks = WordBytes.marks(MemoryUtil.getLong(at + i), POINTS);
            if (marks != 0) {
                return Math.min(length, i + WordBytes.first(marks));
            }
        }
        return length;
    }

    /** The digits around a point, at most 18, or something negative. */
    private static long digits(long at, int before, int after) {
        if (after == 0) {
            return digits(at, before);
        }
        if (before + after < Long.BYTES) {
            long word = MemoryUtil.getLong(at);
            long low = (1L << 8 * before) - 1;
            // One byte more than the digits: the point is taken out of the word.
            return eight(word & low | word >>> 8 & ~low, before + after);
        }
        long upper = digits(at, before);
        long lower = digits(at + before + 1, after);
        return upper < 0 || lower < 0 ? -1 : upper * TENS[after] + lower;
    }

    /** The value of this many digits, at most 18; or something negative. */
    private static long digits(long at, int count) {
        if (count <= Long.BYTES) {
            return count == 0 ? 0 : eight(MemoryUtil.getLong(at), count);
        }
        int left = count - Long.BYTES;
        long upper = digits(at, left);
        long lower = eight(MemoryUtil.getLong(at + left), Long.BYTES);
        return upper < 0 || lower < 0 ? -1 : upper * 100_000_000 + lower;
    }

    /** The number that the lowest bytes of a word are, 1 to 8 of them; or something negative. */
    private static long eight(long word, int count) {
        long digits = digitValues(word, count);
        return wrong(digits) != 0 ? -1 : value(digits);
    }

    /** The lowest bytes of a word, 1 to 8 of them, as the last digits of eight. */
    static long digitValues(long word, int count) {
        return (word ^ ZEROS) << Long.SIZE - 8 * count;
    }

    /** Not 0 if one of eight digits is none. */
    static long wrong(long digits) {
        return (digits + ABOVE_NINE | digits) & TOP_BITS;
    }

    /** The number that eight digits are, of which the first is in the lowest byte. */
    static long value(long digits) {
        long pairs = digits * 10 + (digits >>> 8);
        return (pairs & EVEN_BYTES) * (100 + (1_000_000L << 32))
                        + (pairs >>> 16 & EVEN_BYTES) * (1 + (10_000L << 32))
                >>> 32;
    }
}
