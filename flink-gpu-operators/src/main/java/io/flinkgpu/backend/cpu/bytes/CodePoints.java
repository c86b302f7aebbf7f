package io.flinkgpu.backend.cpu.bytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Counts code points of off-heap UTF-8: valid sequences as The Unicode Standard, table 3-7, has them, and
 * any byte besides for one of its own. Valid sequences never overlap, so they are found from both ends
 * alike.
 */
@Internal
public final class CodePoints {

    private static final long TOP_BITS = 0x8080808080808080L;

    private CodePoints() {}

    /** Where the code points after the next {@code count} start; the end if there are fewer. */
    public static long skip(long at, long end, long count) {
        if (count >= end - at) {
            return end;
        }
        long next = at;
        for (long left = count; left > 0 && next < end; left--) {
            next += lengthAt(next, end);
        }
        return next;
    }

    /** Where the last {@code count} code points before an end start; the start if there are fewer. */
    public static long skipBack(long start, long end, long count) {
        if (count >= end - start) {
            return start;
        }
        long next = end;
        for (long left = count; left > 0 && next > start; left--) {
            next -= lengthBefore(start, next);
        }
        return next;
    }

    /** How many code points there are. */
    public static int count(long start, int length) {
        long end = start + length;
        int count = 0;
        long at = start;
        while (at < end) {
            if (end - at >= Long.BYTES && isAscii(MemoryUtil.getLong(at))) {
                at += Long.BYTES;
                count += Long.BYTES;
            } else {
                at += lengthAt(at, end);
                count++;
            }
        }
        return count;
    }

    /** Whether bytes are valid UTF-8. */
    public static boolean areValid(long start, long end) {
        long at = start;
        while (at < end) {
            if (end - at >= Long.BYTES && isAscii(MemoryUtil.getLong(at))) {
                at += Long.BYTES;
            } else {
                int length = lengthAt(at, end);
                if (length == 1 && MemoryUtil.getByte(at) < 0) {
                    return false;
                }
                at += length;
            }
        }
        return true;
    }

    public static boolean isAscii(long word) {
        return (word & TOP_BITS) == 0;
    }

    /** Bytes of the code point at an address below the end. */
    public static int lengthAt(long at, long end) {
        byte lead = MemoryUtil.getByte(at);
        return lead >= 0 ? 1 : sequenceLength(lead & 0xff, at, end);
    }

    /** The valid code point of 2 to 4 bytes at an address. */
    public static int decode(long at, int length) {
        int codePoint = MemoryUtil.getByte(at) & 0x7f >> length;
        for (int i = 1; i < length; i++) {
            codePoint = codePoint << 6 | MemoryUtil.getByte(at + i) & 0x3f;
        }
        return codePoint;
    }

    /** Writes a code point in UTF-8; returns its bytes. */
    public static int encode(int codePoint, long to) {
        if (codePoint < 0x80) {
            MemoryUtil.putByte(to, (byte) codePoint);
            return 1;
        }
        int length = codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
        int rest = codePoint;
        for (int i = length - 1; i > 0; i--) {
            MemoryUtil.putByte(to + i, (byte) (0x80 | rest & 0x3f));
            rest >>>= 6;
        }
        MemoryUtil.putByte(to, (byte) (0xf00 >> length | rest));
        return length;
    }

    private static int lengthBefore(long start, long end) {
        if (MemoryUtil.getByte(end - 1) >= 0) {
            return 1;
        }
        for (int length = 2; length <= 4 && end - length >= start; length++) {
            int lead = MemoryUtil.getByte(end - length) & 0xff;
            if (lead >= 0xc0) {
                return sequenceLength(lead, end - length, end) == length ? length : 1;
            }
        }
        return 1;
    }

    private static int sequenceLength(int lead, long at, long end) {
        int length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
        if (length == 1 || end - at < length) {
            return 1;
        }
        int second = MemoryUtil.getByte(at + 1) & 0xff;
        int least =
                switch (lead) {
                    case 0xe0 -> 0xa0;
                    case 0xf0 -> 0x90;
                    default -> 0x80;
                };
        int most =
                switch (lead) {
                    case 0xed -> 0x9f;
                    case 0xf4 -> 0x8f;
                    default -> 0xbf;
                };
        if (second < least || second > most) {
            return 1;
        }
        for (int i = 2; i < length; i++) {
            if ((MemoryUtil.getByte(at + i) & 0xc0) != 0x80) {
                return 1;
            }
        }
        return length;
    }
}
