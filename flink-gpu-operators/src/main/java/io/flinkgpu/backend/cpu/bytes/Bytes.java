package io.flinkgpu.backend.cpu.bytes;

import io.flinkgpu.column.WordBytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Compares, searches and copies short runs of off-heap bytes, eight at a time. */
@Internal
public final class Bytes {

    /** The most bytes that {@link #copyLoosely} reads and writes past those that it copies. */
    public static final int SLACK = 16;

    private static final int LONG_COPY_BYTES = 96;

    private Bytes() {}

    /** Where a byte first occurs, or -1. */
    public static int indexOf(long address, int length, int wanted) {
        long pattern = WordBytes.repeated(wanted);
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            long marks = WordBytes.marks(MemoryUtil.getLong(address + i), pattern);
            if (marks != 0) {
                return i + WordBytes.first(marks);
            }
        }
        if (i == length) {
            return -1;
        }
        if (length > Long.BYTES) {
            // Bytes seen before are not marked, so a word that overlaps them will do.
            i = length - Long.BYTES;
            long marks = WordBytes.marks(MemoryUtil.getLong(address + i), pattern);
            return marks == 0 ? -1 : i + WordBytes.first(marks);
        }
        long marks = WordBytes.marks(head(address, length), pattern) << (64 - 8 * length);
        return marks == 0 ? -1 : WordBytes.first(marks >>> (64 - 8 * length));
    }

    /** Whether two runs are the same. */
    public static boolean equal(long a, long b, int length) {
        if (length < Long.BYTES) {
            return head(a, length) == head(b, length);
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (MemoryUtil.getLong(a + i) != MemoryUtil.getLong(b + i)) {
                return false;
            }
        }
        return MemoryUtil.getLong(a + last) == MemoryUtil.getLong(b + last);
    }

    /** The first eight of some bytes; zeros after their end, if there are fewer or none. */
    public static long word(long address, int length) {
        if (length >= Long.BYTES) {
            return MemoryUtil.getLong(address);
        }
        return length <= 0 ? 0 : head(address, length);
    }

    /** Fewer than eight bytes as the low ones of a word. */
    static long head(long address, int length) {
        if (length >= Integer.BYTES) {
            long low = MemoryUtil.getInt(address) & 0xffffffffL;
            long high = MemoryUtil.getInt(address + length - Integer.BYTES) & 0xffffffffL;
            return low | high << 8 * (length - Integer.BYTES);
        }
        if (length == 0) {
            return 0;
        }
        long first = MemoryUtil.getByte(address) & 0xff;
        long middle = MemoryUtil.getByte(address + (length >> 1)) & 0xff;
        long last = MemoryUtil.getByte(address + length - 1) & 0xff;
        return first | middle << 8 * (length >> 1) | last << 8 * (length - 1);
    }

    /** Copies bytes to where none of them are, and perhaps {@link #SLACK} bytes more. */
    public static void copyLoosely(long from, long to, int length) {
        if (length >= LONG_COPY_BYTES) {
            MemoryUtil.copyMemory(from, to, length);
            return;
        }
        int done = 0;
        do {
            MemoryUtil.putLong(to + done, MemoryUtil.getLong(from + done));
            MemoryUtil.putLong(
                    to + done + Long.BYTES, MemoryUtil.getLong(from + done + Long.BYTES));
            done += SLACK;
        } while (done < length);
    }

    /** Copies bytes to where none of them are. */
    public static void copy(long from, long to, int length) {
        if (length >= LONG_COPY_BYTES) {
            MemoryUtil.copyMemory(from, to, length);
        } else if (length >= Long.BYTES) {
            int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                MemoryUtil.putLong(to + i, MemoryUtil.getLong(from + i));
            }
            MemoryUtil.putLong(to + last, MemoryUtil.getLong(from + last));
        } else if (length >= Integer.BYTES) {
            int last = length - Integer.BYTES;
            int low = MemoryUtil.getInt(from);
            MemoryUtil.putInt(to + last, MemoryUtil.getInt(from + last));
            MemoryUtil.putInt(to, low);
        } else {
            for (int i = 0; i < length; i++) {
                MemoryUtil.putByte(to + i, MemoryUtil.getByte(from + i));
            }
        }
    }
}
