package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.TimeSlices;
import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * Takes lines of a key and a number, as {@code Bonn;-12.3}, that are written in an ordinary way: a number
 * of at most 7 bytes with just the format's digits behind the point. The other lines are left to {@link
 * LineScanner}. Three parts of the text are read in turn, so that the processor need not know where one
 * line ends to begin with the next.
 *
 * <p>To find the point by a bit that digits have is Quan Anh Mai's idea, from the One Billion Row
 * Challenge (2024); here every byte is checked as well.
 */
final class KeyNumberScanner implements TextScanner {

    /** So many digits behind a point still leave room for one before it. */
    private static final int MAX_SCALE = 4;

    /** What a call reads: the loop is called often, so that it is soon compiled as a method. */
    private static final int BLOCK_BYTES = 192 << 10;

    private static final int BYTE = 0xff;
    private static final int MINUS_TO_ZERO = '-' ^ '0';
    private static final long NEWLINES = WordBytes.repeated('\n');
    private static final long ZEROS = WordBytes.repeated('0');
    private static final long TOP_BITS = WordBytes.repeated(0x80);

    /** What brings a byte above 9 to 0x80 at least. */
    private static final long ABOVE_NINE = WordBytes.repeated(0x80 - 10);

    /** What brings a byte above 0 to 0x80 at least. */
    private static final long ABOVE_ZERO = 0x7f;

    /** A bit that is set in digits, neither in a point nor in a line's end; the first may be a sign. */
    private static final long DIGIT_BIT = 0x1010101010101000L;

    private final LineScanner others;
    private final LineGrouper grouper;
    private final LineTable table;
    private final long separators;

    // A number's word is shifted until its line's end is the last byte: then it and the point are
    // at
    // places that the scale alone decides.

    /** The bits from the start of a shifted word to the digit bit of what ends the integer part. */
    private final int pointBit;

    /** The bytes from what ends the integer part to the next line. */
    private final int tailBytes;

    /** A shifted word's point and line's end, as they differ from zeros. */
    private final long marks;

    /** What brings a digit above 9 to 0x80, and a point or line's end that is none. */
    private final long aboveValid;

    private final long integerBytes;

    /** The fewest bits before the digit bit of what ends the integer part, without a sign's. */
    private final int minBefore;

    private final int countAt;
    private final int minAt;
    private final int lowAt;
    private final boolean hasMinMax;
    private final boolean hasSum;

    KeyNumberScanner(
            LinePlan plan,
            LineScanner others,
            LineGrouper grouper,
            LineTable table,
            LineValues values) {
        ValueSpec spec = plan.values().get(0);
        int scale = spec.type().scale();
        this.others = others;
        this.grouper = grouper;
        this.table = table;
        this.separators = WordBytes.repeated(plan.format().separator());
        this.tailBytes = scale == 0 ? 1 : scale + 2;
        int point = Long.BYTES - tailBytes;
        this.pointBit = 8 * point + 4;
        long end = (long) ('\n' ^ '0') << 56;
        this.marks = scale == 0 ? end : end | (long) ('.' ^ '0') << 8 * point;
        int precision = spec.type().precision();
        int zeros = precision == 0 ? 0 : Math.max(0, point - (precision - scale));
        this.aboveValid =
                ABOVE_NINE
                        | ABOVE_ZERO << 56
                        | ABOVE_ZERO << 8 * point
                        | WordBytes.repeated(0x7f) & (1L << 8 * zeros) - 1;
        this.integerBytes = scale == 0 ? 0 : (1L << 8 * point) - 1;
        this.minBefore = scale == 0 ? 12 : 4;
        this.hasMinMax = spec.needsMinMax();
        this.hasSum = spec.needsSum();
        this.countAt = values.countAt(0);
        this.minAt = values.minAt(0);
        this.lowAt = values.lowAt(0);
    }

    /** Whether a plan's lines are of this kind. */
    static boolean reads(LinePlan plan) {
        List<Field> fields = plan.format().fields();
        return fields.size() == 2
                && !plan.format().isQuoted()
                && plan.key() == 0
                && plan.time() == null
                && plan.values().size() == 1
                && plan.values().get(0).type().scale() <= MAX_SCALE
                && switch (fields.get(1).type()) {
                    case INT, LONG, DECIMAL -> true;
                    default -> false;
                };
    }

    @Override
    public void scan(long start, long end) {
        long at = start;
        while (end - at > 2L * BLOCK_BYTES) {
            long blockEnd = nextLine(at + BLOCK_BYTES, end);
            scanBlock(at, blockEnd);
            at = blockEnd;
        }
        scanBlock(at, end);
    }

    private void scanBlock(long start, long end) {
        long part = (end - start) / 3;
        long second = nextLine(start + part, end);
        long third = nextLine(Math.max(second, start + 2 * part), end);
        scan(start, second, third, end);
    }

    /** Where the first line starts that does so behind an address. */
    private static long nextLine(long start, long end) {
        long at = Math.min(start + 1, end);
        while (at < end && MemoryUtil.getByte(at - 1) != '\n') {
            at++;
        }
        return at;
    }

    /** Takes a line of each of three parts in turn, until one of them has none; then the others. */
    private void scan(long start, long second, long third, long end) {
        long at1 = start;
        long at2 = second;
        long at3 = third;
        long rounds = 0;
        while (at1 < second && at2 < third && at3 < end) {
            long next1 = line(at1);
            long next2 = line(at2);
            long next3 = line(at3);
            at1 = next1 != 0 ? next1 : other(at1, second);
            at2 = next2 != 0 ? next2 : other(at2, third);
            at3 = next3 != 0 ? next3 : other(at3, end);
            rounds++;
        }
        grouper.count(3 * rounds);
        rest(at1, second);
        rest(at2, third);
        rest(at3, end);
    }

    private void rest(long start, long end) {
        long lines = 0;
        long at = start;
        while (at < end) {
            long next = line(at);
            at = next != 0 ? next : other(at, end);
            lines++;
        }
        grouper.count(lines);
    }

    /** Takes a line; gives where the next one starts, or 0 if it is left. */
    private long line(long at) {
        long word0 = MemoryUtil.getLong(at);
        long word1 = MemoryUtil.getLong(at + Long.BYTES);
        long marks0 = WordBytes.firstMark(word0, separators);
        long marks1 = WordBytes.firstMark(word1, separators);
        if ((marks0 | marks1) == 0) {
            return 0;
        }
        int length0 = Long.numberOfTrailingZeros(marks0) >>> 3;
        int length1 = Long.numberOfTrailingZeros(marks1) >>> 3;
        long hasWord1 = -(long) (length0 >>> 3);
        int keyBytes = length0 + (length1 & (int) hasWord1);
        word0 &= marks0 - 1 & ~marks0;
        word1 &= marks1 - 1 & ~marks1 & hasWord1;
        long record = table.peek(word0, word1, keyBytes);
        return record == 0 ? 0 : number(record, at + keyBytes + 1);
    }

    /** Takes a line that the first attempt left. */
    private long other(long start, long end) {
        long at = start;
        long found = 0;
        for (; found == 0; at += Long.BYTES) {
            long word = MemoryUtil.getLong(at);
            found = WordBytes.marks(word, separators) | WordBytes.marks(word, NEWLINES);
        }
        at += WordBytes.first(found) - Long.BYTES;
        if (MemoryUtil.getByte(at) != '\n' && isNumber(MemoryUtil.getLong(at + 1))) {
            long record = table.find(start, (int) (at - start), TimeSlices.NONE);
            if (record != 0) {
                return number(record, at + 1);
            }
        }
        return others.line(start, end);
    }

    /** Adds a number to a record; gives where the next line starts, or 0 if it is left. */
    private long number(long record, long at) {
        long text = MemoryUtil.getLong(at);
        long sign = sign(text);
        int before = Long.numberOfTrailingZeros(~text & DIGIT_BIT);
        long shifted = shifted(text, sign, before);
        if (wrong(shifted, sign, before) != 0) {
            return 0;
        }
        long digits = (shifted & integerBytes) << 16 | (shifted & ~integerBytes) << 8;
        add(record, (NumberText.value(digits) ^ sign) - sign);
        return at + (before >>> 3) + tailBytes;
    }

    private boolean isNumber(long text) {
        long sign = sign(text);
        int before = Long.numberOfTrailingZeros(~text & DIGIT_BIT);
        return wrong(shifted(text, sign, before), sign, before) == 0;
    }

    /** All ones if a number has a minus. */
    private static long sign(long text) {
        return ((text ^ '-') & BYTE) - 1 >> 63;
    }

    /** Digits' values and zeros, if it is a number; a minus is taken for a zero. */
    private long shifted(long text, long sign, int before) {
        return (text ^ ZEROS ^ sign & MINUS_TO_ZERO) << pointBit - before ^ marks;
    }

    /** Not 0 if a number is not written in the ordinary way. */
    private long wrong(long shifted, long sign, int before) {
        return (shifted + aboveValid | shifted | before + 8 * sign - minBefore) & TOP_BITS;
    }

    private void add(long record, long number) {
        LineValues.addTo(record + countAt, 1);
        if (hasMinMax) {
            LineValues.minMax(record + minAt, number);
        }
        if (hasSum) {
            LineValues.addTo(record + lowAt, number);
        }
    }
}
