package io.flinkgpu.backend.cpu.lines.fast;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.WordBytes;

/**
 * Reads numbers of at most 7 bytes from a word that starts with one and has a line's end behind it: a
 * minus or not, digits, and just the format's digits behind the point. There are no branches for how
 * many digits a number has. Immutable.
 *
 * <p>To find the point by a bit that digits have is Quan Anh Mai's idea, from the One Billion Row
 * Challenge (2024); here every byte is checked as well. To add neighboring digits by a product is D.
 * Lemire's, "Number parsing at a gigabyte per second" (Software: Practice and Experience, 2021).
 */
final class ShortNumbers {

    /** So many digits behind a point still leave room for one before it. */
    static final int MAX_SCALE = 4;

    private static final int BYTE = 0xff;
    private static final int MINUS_TO_ZERO = '-' ^ '0';
    private static final long ZEROS = WordBytes.repeated('0');
    private static final long TOP_BITS = WordBytes.repeated(0x80);

    /** What brings a byte above 9 to 0x80 at least. */
    private static final long ABOVE_NINE = WordBytes.repeated(0x80 - 10);

    /** What brings a byte above 0 to 0x80 at least. */
    private static final long ABOVE_ZERO = 0x7f;

    /** A bit that is set in digits, neither in a point nor in a line's end; the first may be a sign. */
    private static final long DIGIT_BIT = 0x1010101010101000L;

    /** Makes of each digit ten times the one before it and itself. */
    private static final int PAIRS = 10 << Byte.SIZE | 1;

    private static final long FOURTH_BYTES = 0x000000ff000000ffL;

    // A number's word is shifted until its line's end is the last byte. Then it and the point are
    // where the scale alone says.

    /** The bits from the start of a shifted word to the digit bit of what ends the integer part. */
    private final int pointBit;

    /** The bytes from what ends the integer part to behind the line's end. */
    private final int tailBytes;

    /** A shifted word's point and line's end, as they differ from zeros. */
    private final long marks;

    /** What brings a digit above 9 to 0x80, and a point or line's end that is none. */
    private final long aboveValid;

    /** What the pairs of digits that end in bytes 0 and 4 are times, and those that do in 2 and 6. */
    private final long weights04;

    private final long weights26;
    private final boolean isInteger;

    /**
     * @param lineEnd what is behind each number, {@code '\n'} or {@code '\r'}
     */
    ShortNumbers(ColumnType type, char lineEnd) {
        int scale = type.scale();
        isInteger = scale == 0;
        tailBytes = isInteger ? 1 : scale + 2;
        int point = Long.BYTES - tailBytes;
        pointBit = 8 * point + 4;
        long end = (long) (lineEnd ^ '0') << 56;
        marks = isInteger ? end : end | (long) ('.' ^ '0') << 8 * point;
        int precision = type.precision();
        int zeros = precision == 0 ? 0 : Math.max(0, point - (precision - scale));
        aboveValid =
                ABOVE_NINE
                        | ABOVE_ZERO << 56
                        | ABOVE_ZERO << 8 * point
                        | WordBytes.repeated(0x7f) & (1L << 8 * zeros) - 1;
        weights04 = weight(0, point) << 32 | weight(4, point);
        weights26 = weight(2, point) << 32 | weight(6, point);
    }

    /** What the pair of digits is times of which the second is this byte of a shifted word. */
    private static long weight(int at, int point) {
        // A point is a zero in its pair, but not a digit of the number.
        int digitsBehind = 6 - at - (at <= point && point < 7 ? 1 : 0);
        long weight = 1;
        for (int i = 0; i < digitsBehind; i++) {
            weight *= 10;
        }
        return weight;
    }

    // What is found out about a word is passed on: objects would not be free.

    /** All ones if a number has a minus. */
    static long sign(long text) {
        return ((text ^ '-') & BYTE) - 1 >> 63;
    }

    /** The bits before the digit bit of what ends the integer part. */
    static int before(long text) {
        return Long.numberOfTrailingZeros(~text & DIGIT_BIT);
    }

    /** Digits' values and zeros, if it is a number; a minus is taken for a zero. */
    long shifted(long text, long sign, int before) {
        return (text ^ ZEROS ^ sign & MINUS_TO_ZERO) << pointBit - before ^ marks;
    }

    /** Whether this is no number, or not written in the ordinary way. */
    boolean isWrong(long shifted, long sign, int before) {
        return ((shifted + aboveValid | shifted) & TOP_BITS) != 0
                // A minus alone is no number; where there is a point, there are digits behind it.
                || isInteger && sign != 0 && before < 16;
    }

    /** The number, unscaled. */
    long value(long shifted, long sign) {
        long pairs = shifted * PAIRS;
        long value =
                (pairs & FOURTH_BYTES) * weights04 + (pairs >>> 16 & FOURTH_BYTES) * weights26
                        >>> 32;
        return (value ^ sign) - sign;
    }

    /** The bytes of the number and the line's end. */
    int bytes(int before) {
        return (before >>> 3) + tailBytes;
    }
}
