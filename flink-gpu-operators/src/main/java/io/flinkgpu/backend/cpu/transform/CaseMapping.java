package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.CodePoints;
import io.flinkgpu.column.WordBytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Writes texts in upper or lower case: the simple mapping of each valid code point. */
@Internal
public final class CaseMapping {

    static final CaseMapping UPPER = new CaseMapping(true, 'a', 'z');
    static final CaseMapping LOWER = new CaseMapping(false, 'A', 'Z');

    private static final int CASE_BIT = 0x20;

    private final boolean toUpper;
    private final int first;
    private final int last;
    private final long belowFirst;
    private final long aboveLast;

    /** Where bytes from {@code first} to {@code last} are the ASCII letters that change. */
    private CaseMapping(boolean toUpper, int first, int last) {
        this.toUpper = toUpper;
        this.first = first;
        this.last = last;
        // Added to an ASCII byte these set the top bit from the first letter, or after the last.
        this.belowFirst = WordBytes.repeated(0x80 - first);
        this.aboveLast = WordBytes.repeated(0x7f - last);
    }

    /** The most bytes that a text of a length becomes: two bytes can become three, and no other more. */
    public static long mostBytes(int length) {
        return (long) length + (length >> 1);
    }

    /** Writes a text to where there is room for {@link #mostBytes}; returns how many it took. */
    int write(long from, int length, long to) {
        int done = 0;
        if (length >= Long.BYTES) {
            int lastWord = length - Long.BYTES;
            for (; done < lastWord; done += Long.BYTES) {
                long word = MemoryUtil.getLong(from + done);
                if (!CodePoints.isAscii(word)) {
                    break;
                }
                MemoryUtil.putLong(to + done, mapped(word));
            }
            long word = MemoryUtil.getLong(from + lastWord);
            if (done >= lastWord && CodePoints.isAscii(word)) {
                MemoryUtil.putLong(to + lastWord, mapped(word));
                return length;
            }
            done = Math.min(done, lastWord);
        }
        return done + writeSlowly(from + done, from + length, to + done);
    }

    private long mapped(long word) {
        long letters = (word + belowFirst ^ word + aboveLast) & WordBytes.repeated(0x80);
        return word ^ letters >>> 2;
    }

    private int writeSlowly(long from, long end, long to) {
        long target = to;
        for (long at = from; at < end; ) {
            int value = MemoryUtil.getByte(at);
            if (value >= 0) {
                boolean isLetter = value >= first && value <= last;
                MemoryUtil.putByte(target++, (byte) (isLetter ? value ^ CASE_BIT : value));
                at++;
                continue;
            }
            int length = CodePoints.lengthAt(at, end);
            if (length == 1) {
                MemoryUtil.putByte(target++, (byte) value);
            } else {
                int codePoint = CodePoints.decode(at, length);
                int other =
                        toUpper
                                ? Character.toUpperCase(codePoint)
                                : Character.toLowerCase(codePoint);
                target += CodePoints.encode(other, target);
            }
            at += length;
        }
        return (int) (target - to);
    }
}
