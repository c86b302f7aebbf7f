package io.flinkgpu.backend.cpu.lines.fast;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.cpu.aggregate.BatchTable;
import io.flinkgpu.backend.cpu.lines.group.LineGrouper;
import io.flinkgpu.backend.cpu.lines.group.LineScanner;
import io.flinkgpu.backend.cpu.lines.group.TextScanner;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.WordBytes;
import io.flinkgpu.words.BinWords;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * Takes lines of a key and a number, as {@code Bonn;-12.3}, that are written in an ordinary way: a number
 * of at most 7 bytes with just the format's digits behind the point, and the line's end as the first
 * line's is, {@code "\n"} or {@code "\r\n"}. The other lines are left to {@link
 * LineScanner}. Three parts of the text are read in turn, so that the processor need not know where one line ends to begin
 * with the next.
 */
@Internal
public final class KeyNumberScanner implements TextScanner {

    private static final long NEWLINES = WordBytes.repeated('\n');

    /** No part has a line that was left. */
    private static final int NONE = -1;

    private final LineScanner others;
    private final LineGrouper grouper;
    private final BatchTable table;
    private final ShortNumbers beforeNewline;
    private final ShortNumbers beforeReturn;
    private final long separators;

    /** Where the next line of each of the three parts starts. */
    private final long[] starts = new long[3];

    private final boolean hasMinMax;
    private final boolean hasSum;
    private final boolean hasSquares;

    /** Whether lines end with {@code "\r\n"}. */
    private boolean hasReturns;

    private ShortNumbers numbers;

    public KeyNumberScanner(
            LinePlan plan, LineScanner others, LineGrouper grouper, BatchTable table) {
        ValueSpec spec = plan.values().get(0);
        this.others = others;
        this.grouper = grouper;
        this.table = table;
        this.beforeNewline = new ShortNumbers(spec.type(), '\n');
        this.beforeReturn = new ShortNumbers(spec.type(), '\r');
        this.separators = WordBytes.repeated(plan.format().separator());
        this.hasMinMax = spec.needsMinMax();
        this.hasSum = spec.needsSum();
        this.hasSquares = spec.needsSquares();
    }

    /** Whether a plan's lines are of this kind. */
    public static boolean reads(LinePlan plan) {
        List<Field> fields = plan.format().fields();
        return fields.size() == 2
                && !plan.format().isQuoted()
                && plan.key() == 0
                && plan.time() == null
                && plan.values().size() == 1
                && plan.values().get(0).type().scale() <= ShortNumbers.MAX_SCALE
                && switch (fields.get(1).format()) {
                    case INT, LONG, DECIMAL -> true;
                    case STRING, DOUBLE, EPOCH_MILLIS, ISO_TIMESTAMP, SKIPPED -> false;
                };
    }

    @Override
    public void scan(long start, long end) {
        long firstEnd = nextLine(start, end);
        hasReturns = firstEnd - start > 1 && MemoryUtil.getByte(firstEnd - 2) == '\r';
        numbers = hasReturns ? beforeReturn : beforeNewline;
        long part = (end - start) / 3;
        long second = nextLine(start + part, end);
        long third = nextLine(Math.max(second, start + 2 * part), end);
        scan(start, second, third, end);
    }

    /** Where the first line starts that does so behind an address. */
    static long nextLine(long start, long end) {
        long at = Math.min(start + 1, end);
        while (at < end && MemoryUtil.getByte(at - 1) != '\n') {
            at++;
        }
        return at;
    }

    /** Takes a line of each of three parts in turn, until one of them has none; then the others. */
    private void scan(long start, long second, long third, long end) {
        starts[0] = start;
        starts[1] = second;
        starts[2] = third;
        for (int left = take(second, third, end); left != NONE; left = take(second, third, end)) {
            long partEnd = left == 0 ? second : left == 1 ? third : end;
            starts[left] = other(starts[left], partEnd);
            grouper.count(1);
        }
        rest(starts[0], second);
        rest(starts[1], third);
        rest(starts[2], end);
    }

    /**
     * Takes lines of three parts in turn, until one has none or a line is left. Calls nothing that is
     * compiled on its own, or what it knows would have to be looked up again for each line.
     *
     * @return the part with the line that is left, or {@link #NONE}
     */
    private int take(long second, long third, long end) {
        long at1 = starts[0];
        long at2 = starts[1];
        long at3 = starts[2];
        long rounds = 0;
        int left = NONE;
        while (at1 < second && at2 < third && at3 < end) {
            long next1 = line(at1);
            if (next1 == 0) {
                left = 0;
                break;
            }
            at1 = next1;
            long next2 = line(at2);
            if (next2 == 0) {
                left = 1;
                break;
            }
            at2 = next2;
            long next3 = line(at3);
            if (next3 == 0) {
                left = 2;
                break;
            }
            at3 = next3;
            rounds++;
        }
        grouper.count(3 * rounds + Math.max(0, left));
        starts[0] = at1;
        starts[1] = at2;
        starts[2] = at3;
        return left;
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
        long inKey0 = marks0 - 1 & ~marks0;
        long hasWord1 = inKey0 >> 63;
        int bits =
                Long.numberOfTrailingZeros(marks0)
                        + (Long.numberOfTrailingZeros(marks1) & (int) hasWord1);
        word0 &= inKey0;
        word1 &= (marks1 ^ marks1 - 1) & hasWord1;
        long record = table.peek(word0, word1);
        return record == 0 ? 0 : number(record, at + (bits >>> 3));
    }

    /** Takes a line that the first attempt left. */
    private long other(long start, long end) {
        long at = separatorOrEnd(start, separators);
        if (MemoryUtil.getByte(at) != '\n' && isNumber(at)) {
            long record = table.find(start, (int) (at - start), TimeSlices.NONE);
            if (record != 0) {
                return number(record, at);
            }
        }
        return others.line(start, end);
    }

    /** Where the first separator or line's end is; there is one. */
    static long separatorOrEnd(long start, long separators) {
        long at = start;
        long found = 0;
        for (; found == 0; at += Long.BYTES) {
            long word = MemoryUtil.getLong(at);
            found = WordBytes.marks(word, separators) | WordBytes.marks(word, NEWLINES);
        }
        return at + WordBytes.first(found) - Long.BYTES;
    }

    /** Adds the number behind a separator; gives where the next line starts, or 0 if it is left. */
    private long number(long record, long separator) {
        long text = MemoryUtil.getLong(separator + 1);
        long sign = ShortNumbers.sign(text);
        int before = ShortNumbers.before(text);
        long shifted = numbers.shifted(text, sign, before);
        if (numbers.isWrong(shifted, sign, before)) {
            return 0;
        }
        long next = next(separator, before);
        if (next != 0) {
            add(record, numbers.value(shifted, sign));
        }
        return next;
    }

    /** Whether a number that {@link #number} adds is behind a separator. */
    private boolean isNumber(long separator) {
        long text = MemoryUtil.getLong(separator + 1);
        long sign = ShortNumbers.sign(text);
        int before = ShortNumbers.before(text);
        return !numbers.isWrong(numbers.shifted(text, sign, before), sign, before)
                && next(separator, before) != 0;
    }

    /** Where the next line starts behind a number; 0 if its line does not end there. */
    private long next(long separator, int before) {
        long next = separator + numbers.bytes(before) + 1;
        if (!hasReturns) {
            return next;
        }
        return MemoryUtil.getByte(next) == '\n' ? next + 1 : 0;
    }

    private void add(long record, long number) {
        // Where the only value's words are is said here, not asked for: so it costs nothing.
        long at = record + BatchTable.VALUES;
        BinWords.add(at, 1);
        at += Long.BYTES;
        if (hasMinMax) {
            BinWords.addExtremes(at, number, number);
            at += 2 * Long.BYTES;
        }
        if (hasSum) {
            BinWords.add(at, number);
            at += WordLayout.INTEGER_BINS * Long.BYTES;
        }
        if (hasSquares) {
            BinWords.addSquareOfInteger(at, Long.BYTES, number);
        }
    }
}
