package io.flinkgpu.backend.cpu;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.TimeSlices;
import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * Takes lines of a key and a number, as {@code Bonn;-12.3}, without a branch on what they are like as
 * long as the key has at most 16 bytes and the number at most 7. The other lines are left to {@link
 * LineScanner}. Three parts of the text are read in turn, so that the processor need not know where one
 * line ends to begin with the next.
 *
 * <p>To find the point by a bit that digits have is Quan Anh Mai's idea, from the One Billion Row
 * Challenge (2024); here it may be anywhere, and every byte is checked.
 */
final class KeyNumberScanner implements TextScanner {

    private static final int MAX_NUMBER_BYTES = 7;
    private static final int MIN_PART_BYTES = 1024;
    private static final int BYTE = 0xff;
    private static final int MINUS_TO_ZERO = '-' ^ '0';
    private static final long NEWLINES = WordBytes.repeated('\n');
    private static final long POINTS = WordBytes.repeated('.');

    /** A bit that is set in digits and not in a point; the first byte may be a sign. */
    private static final long DIGIT_BIT = 0x1010101010101000L;

    private final LineScanner others;
    private final LineGrouper grouper;
    private final LineTable table;
    private final long separators;
    private final int integerDigits;
    private final int scale;

    /** The bytes from a number's point to its end. */
    private final int pointBytes;

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
        this.others = others;
        this.grouper = grouper;
        this.table = table;
        this.separators = WordBytes.repeated(plan.format().separator());
        this.scale = spec.type().scale();
        this.pointBytes = scale == 0 ? 0 : 1 + scale;
        this.integerDigits =
                spec.type().precision() == 0 ? MAX_NUMBER_BYTES : spec.type().precision() - scale;
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
                && switch (fields.get(1).type()) {
                    case INT, LONG, DECIMAL -> true;
                    default -> false;
                };
    }

    @Override
    public void scan(long start, long end) {
        long part = (end - start) / 3;
        if (part < MIN_PART_BYTES) {
            others.scan(start, end);
            return;
        }
        long second = nextLine(start + part, end);
        long third = nextLine(Math.max(second, start + 2 * part), end);
        scan(start, second, third, end);
    }

    /** Where the first line starts that does so at or behind an address. */
    private static long nextLine(long start, long end) {
        long at = start;
        while (at < end && MemoryUtil.getByte(at - 1) != '\n') {
            at++;
        }
        return at;
    }

    /** Takes the lines of three parts in turn, until there is none in one of them; then the others. */
    private void scan(long start, long second, long third, long end) {
        long at = start;
        long end1 = second;
        long at2 = second;
        long end2 = third;
        long at3 = third;
        long end3 = end;
        long lines = 0;
        while (at < end1) {
            long word0 = MemoryUtil.getLong(at);
            long word1 = MemoryUtil.getLong(at + Long.BYTES);
            long marks0 = WordBytes.marks(word0, separators);
            long marks1 = WordBytes.marks(word1, separators);
            int length0 = Long.numberOfTrailingZeros(marks0) >>> 3;
            int length1 = Long.numberOfTrailingZeros(marks1) >>> 3;
            long hasWord1 = -(long) (length0 >>> 3);
            int keyBytes = length0 + (length1 & (int) hasWord1);
            if ((marks0 | marks1) == 0) {
                keyBytes = longKeyBytes(at);
            }
            long number = at + keyBytes + 1;
            long text = MemoryUtil.getLong(number);
            long marks = pointMarks(text);
            int before = Long.numberOfTrailingZeros(marks) >>> 3;
            int newline = before + pointBytes;
            long sign = sign(text);
            long point = (marks & -marks) >>> 4;
            long digits = digits(text, point, before, sign);
            long next = 0;
            if (keyBytes >= 0
                    && newline <= MAX_NUMBER_BYTES
                    && (NumberText.wrong(digits) | wrong(text, point, before + sign)) == 0) {
                word0 &= marks0 - 1 & ~marks0;
                word1 &= marks1 - 1 & ~marks1 & hasWord1;
                long record = table.peek(word0, word1, keyBytes, TimeSlices.NONE);
                if (record == 0 || keyBytes > LineTable.SHORT_KEY) {
                    record = table.find(at, keyBytes, TimeSlices.NONE);
                }
                if (record != 0) {
                    add(record, (NumberText.value(digits) ^ sign) - sign);
                    next = number + newline + 1;
                }
            }
            if (next == 0) {
                next = others.line(at, end1);
            }
            lines++;
            long endOfThis = end1;
            at = at2;
            end1 = end2;
            at2 = at3;
            end2 = end3;
            at3 = next;
            end3 = endOfThis;
        }
        grouper.count(lines);
        others.scan(at2, end2);
        others.scan(at3, end3);
    }

    /** The bytes before the next separator; -1 if the line ends before it. */
    private int longKeyBytes(long start) {
        long at = start + LineTable.SHORT_KEY;
        long marks = 0;
        for (; marks == 0; at += Long.BYTES) {
            long word = MemoryUtil.getLong(at);
            marks = WordBytes.marks(word, separators) | WordBytes.marks(word, NEWLINES);
        }
        at += WordBytes.first(marks) - Long.BYTES;
        return MemoryUtil.getByte(at) == '\n' ? -1 : (int) (at - start);
    }

    /** All ones if a number has a minus. */
    private static long sign(long text) {
        return ((text ^ '-') & BYTE) - 1 >> 63;
    }

    /** A bit of the byte that ends the integer part, and perhaps bits of bytes behind it. */
    private long pointMarks(long text) {
        return scale == 0 ? WordBytes.marks(text, NEWLINES) >>> 3 : ~text & DIGIT_BIT;
    }

    /**
     * A number's digits without its point; a minus is taken for a zero.
     *
     * @param point the lowest bit of the point's byte
     */
    private long digits(long text, long point, int before, long sign) {
        long low = point - 1;
        long packed = (text & low | text >>> 8 & ~low) ^ sign & MINUS_TO_ZERO;
        return NumberText.digitValues(packed, before + scale);
    }

    /** Not 0 if something other than its digits is wrong with a number. */
    private long wrong(long text, long point, long integers) {
        long pointByte = (point << 8) - point;
        long wrongEnd = (text ^ NEWLINES) & pointByte << 8 * pointBytes;
        long wrongPoint = scale == 0 ? integers - 1 >> 63 : (text ^ POINTS) & pointByte;
        return wrongEnd | wrongPoint | integerDigits - integers >> 63;
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
