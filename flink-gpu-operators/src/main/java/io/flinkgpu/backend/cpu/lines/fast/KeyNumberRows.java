package io.flinkgpu.backend.cpu.lines.fast;

import io.flinkgpu.backend.cpu.lines.group.LineGrouper;
import io.flinkgpu.backend.cpu.lines.group.LineScanner;
import io.flinkgpu.backend.cpu.lines.group.TextScanner;
import io.flinkgpu.backend.cpu.lines.group.UngroupedWriter;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.UngroupedLines;
import io.flinkgpu.column.WordBytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Reads the lines that {@link KeyNumberScanner} does, but groups none of them: the place of each key and
 * the number are written as they come. Likewise three parts of the text are read in turn, and other lines
 * are left to {@link LineScanner}.
 */
@Internal
public final class KeyNumberRows implements TextScanner {

    /** The bytes of the shortest line that is read here. */
    private static final int MIN_LINE_BYTES = 3;

    private static final int LINE_BYTES = 2 * Long.BYTES;
    private static final long NEWLINES = WordBytes.repeated('\n');
    private static final long TOP_BITS = WordBytes.repeated(0x80);

    private final LineScanner others;
    private final LineGrouper grouper;
    private final UngroupedWriter lines;
    private final ShortNumbers beforeNewline;
    private final ShortNumbers beforeReturn;
    private final long separators;

    /** Whether lines end with {@code "\r\n"}. */
    private boolean hasReturns;

    private ShortNumbers numbers;

    /** The address that keys are counted from. */
    private long firstByte;

    /**
     * @param plan that {@link KeyNumberScanner#reads}
     * @param lines of one value that is never null
     */
    public KeyNumberRows(
            LinePlan plan, LineScanner others, LineGrouper grouper, UngroupedWriter lines) {
        this.others = others;
        this.grouper = grouper;
        this.lines = lines;
        this.beforeNewline = new ShortNumbers(plan.values().get(0).type(), '\n');
        this.beforeReturn = new ShortNumbers(plan.values().get(0).type(), '\r');
        this.separators = WordBytes.repeated(plan.format().separator());
    }

    @Override
    public void scan(long start, long end) {
        long firstEnd = KeyNumberScanner.nextLine(start, end);
        hasReturns = firstEnd - start > 1 && MemoryUtil.getByte(firstEnd - 2) == '\r';
        numbers = hasReturns ? beforeReturn : beforeNewline;
        firstByte = grouper.firstByte();
        lines.reserve((int) Math.min(end - start, BLOCK_BYTES) / MIN_LINE_BYTES + 1);
        long part = (end - start) / 3;
        long second = KeyNumberScanner.nextLine(start + part, end);
        long third = KeyNumberScanner.nextLine(Math.max(second, start + 2 * part), end);
        scan(start, second, third, end);
    }

    private void scan(long start, long second, long third, long end) {
        long at1 = start;
        long at2 = second;
        long at3 = third;
        long first = lines.next();
        long to = first;
        while (at1 < second && at2 < third && at3 < end) {
            long next1 = line(at1, to);
            long next2 = line(at2, to + LINE_BYTES);
            long next3 = line(at3, to + 2 * LINE_BYTES);
            if (next1 == 0 || next2 == 0 || next3 == 0) {
                count(to - first);
                at1 = other(at1, second);
                at2 = other(at2, third);
                at3 = other(at3, end);
                grouper.count(3);
                first = lines.next();
                to = first;
            } else {
                at1 = next1;
                at2 = next2;
                at3 = next3;
                to += 3 * LINE_BYTES;
            }
        }
        count(to - first);
        rest(at1, second);
        rest(at2, third);
        rest(at3, end);
    }

    private void count(long bytes) {
        int written = (int) (bytes / LINE_BYTES);
        lines.count(written);
        grouper.count(written);
    }

    private void rest(long start, long end) {
        long read = 0;
        for (long at = start; at < end; at = other(at, end)) {
            read++;
        }
        grouper.count(read);
    }

    /** Writes a line; gives where the next one starts, or 0 if it is left and what was written is not. */
    private long line(long at, long to) {
        long word0 = MemoryUtil.getLong(at);
        long word1 = MemoryUtil.getLong(at + Long.BYTES);
        long marks0 = WordBytes.firstMark(word0, separators);
        long marks1 = WordBytes.firstMark(word1, separators);
        if ((marks0 | marks1) == 0) {
            return 0;
        }
        long inKey0 = marks0 - 1 & ~marks0;
        long hasWord1 = inKey0 >> 63;
        int bits =
                Long.numberOfTrailingZeros(marks0)
                        + (Long.numberOfTrailingZeros(marks1) & (int) hasWord1);
        word0 &= inKey0;
        word1 &= (marks1 ^ marks1 - 1) & hasWord1;
        boolean isPlain =
                ((word0 | word1) & TOP_BITS) == 0
                        && (WordBytes.firstMark(word0, NEWLINES)
                                        | WordBytes.firstMark(word1, NEWLINES))
                                == 0;
        return isPlain ? number(at, bits >>> 3, to) : 0;
    }

    /** Takes a line that the first attempt may have left. */
    private long other(long start, long end) {
        long at = KeyNumberScanner.separatorOrEnd(start, separators);
        if (MemoryUtil.getByte(at) != '\n' && LineGrouper.isKey(start, (int) (at - start))) {
            lines.reserve(1);
            long next = number(start, (int) (at - start), lines.next());
            if (next != 0) {
                lines.count(1);
                return next;
            }
        }
        return others.line(start, end);
    }

    /** Writes a line of a key; gives where the next one starts, or 0 if it is left. */
    private long number(long start, int keyBytes, long to) {
        long separator = start + keyBytes;
        long text = MemoryUtil.getLong(separator + 1);
        long sign = ShortNumbers.sign(text);
        int before = ShortNumbers.before(text);
        long shifted = numbers.shifted(text, sign, before);
        if (numbers.isWrong(shifted, sign, before)) {
            return 0;
        }
        long next = separator + numbers.bytes(before) + 1;
        if (hasReturns) {
            if (MemoryUtil.getByte(next) != '\n') {
                return 0;
            }
            next++;
        }
        MemoryUtil.putInt(to, (int) (start - firstByte));
        MemoryUtil.putInt(to + UngroupedLines.Layout.KEY_LENGTH, keyBytes);
        MemoryUtil.putLong(to + Long.BYTES, numbers.value(shifted, sign));
        return next;
    }
}
