package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Tells for ranges of off-heap bytes, asked for in ascending order, whether a byte occurs in them. Reads
 * every byte once, eight at a time.
 */
public final class ByteFinder {

    private final int wanted;
    private final long address;
    private final int length;
    private int next = -1;

    public ByteFinder(int wanted, long address, int length) {
        this.wanted = wanted;
        this.address = address;
        this.length = length;
    }

    /** Whether the byte occurs in {@code [from, to)}; {@code from} never decreases. */
    public boolean occursIn(int from, int to) {
        if (next < from) {
            next = find(from);
        }
        return next < to;
    }

    private int find(int from) {
        long pattern = WordBytes.repeated(wanted);
        int i = from;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            long marks = WordBytes.marks(MemoryUtil.getLong(address + i), pattern);
            if (marks != 0) {
                return i + WordBytes.first(marks);
            }
        }
        for (; i < length; i++) {
            if ((MemoryUtil.getByte(address + i) & 0xff) == wanted) {
                return i;
            }
        }
        return length;
    }
}
