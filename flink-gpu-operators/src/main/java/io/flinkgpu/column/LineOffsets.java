package io.flinkgpu.column;

import org.apache.arrow.memory.util.MemoryUtil;

/** Finds where lines end, eight bytes at a time. */
final class LineOffsets {

    private static final long NEWLINES = WordBytes.repeated('\n');

    private LineOffsets() {}

    /**
     * Writes the end of each line of {@code [address, address + lengthBytes)}, an int32, behind its
     * {@code '\n'}.
     *
     * @param firstByte the offset of the first byte
     * @param offsetsAddress where the first end goes
     * @param room how many ends may be written
     * @return how many lines there are; if more than there is room for, what was written means nothing
     */
    static int write(long address, int lengthBytes, int firstByte, long offsetsAddress, int room) {
        long next = offsetsAddress;
        // A word writes up to eight ends, and one that is none.
        long lastOfWord = offsetsAddress + Integer.BYTES * (room - (long) Long.BYTES);
        int i = 0;
        for (int end = lengthBytes & -Long.BYTES; i < end && next <= lastOfWord; i += Long.BYTES) {
            long marks = marks(address + i);
            // Where no line ends, the end of the next one is written over it: a branch here is hard
            // to foretell.
            MemoryUtil.putInt(next, firstByte + i + WordBytes.first(marks) + 1);
            for (long more = marks & marks - 1; more != 0; more &= more - 1) {
                next += Integer.BYTES;
                MemoryUtil.putInt(next, firstByte + i + WordBytes.first(more) + 1);
            }
            next += Integer.BYTES * ((marks | -marks) >>> 63);
        }
        int lines = (int) ((next - offsetsAddress) / Integer.BYTES);
        for (; i < lengthBytes && lines < room; i++) {
            if (MemoryUtil.getByte(address + i) == '\n') {
                MemoryUtil.putInt(offsetsAddress + (long) Integer.BYTES * lines, firstByte + i + 1);
                lines++;
            }
        }
        return lines + count(address + i, lengthBytes - i);
    }

    private static int count(long address, int lengthBytes) {
        int count = 0;
        int i = 0;
        for (int end = lengthBytes & -Long.BYTES; i < end; i += Long.BYTES) {
            count += Long.bitCount(marks(address + i));
        }
        for (; i < lengthBytes; i++) {
            count += MemoryUtil.getByte(address + i) == '\n' ? 1 : 0;
        }
        return count;
    }

    private static long marks(long address) {
        return WordBytes.marks(MemoryUtil.getLong(address), NEWLINES);
    }
}
