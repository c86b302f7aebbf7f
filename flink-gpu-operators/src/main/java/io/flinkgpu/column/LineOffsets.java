package io.flinkgpu.column;

import org.apache.arrow.memory.util.MemoryUtil;

/** Finds where lines end, four words at a time: most of these have no end. */
final class LineOffsets {

    private static final long NEWLINES = WordBytes.repeated('\n');
    private static final int BLOCK_BYTES = 4 * Long.BYTES;

    private LineOffsets() {}

    /**
     * Writes the end of each line of {@code [address, address + lengthBytes)}, an int32, after its
     * {@code '\n'}.
     *
     * @param firstByte the offset of the first byte
     * @param offsetsAddress where the first end goes
     * @param room how many ends may be written; none if it is not positive
     * @return how many lines there are; if more than there is room for, what was written means nothing
     */
    static int write(long address, int lengthBytes, int firstByte, long offsetsAddress, int room) {
        long next = offsetsAddress;
        long lastOfBlock = offsetsAddress + Integer.BYTES * (room - (long) BLOCK_BYTES);
        int i = 0;
        for (int end = lengthBytes & -BLOCK_BYTES; i < end && next <= lastOfBlock; ) {
            long ends = ends(address + i);
            for (; ends != 0; ends &= ends - 1) {
                MemoryUtil.putInt(next, firstByte + i + Long.numberOfTrailingZeros(ends) + 1);
                next += Integer.BYTES;
            }
            i += BLOCK_BYTES;
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
        for (int end = lengthBytes & -BLOCK_BYTES; i < end; i += BLOCK_BYTES) {
            count += Long.bitCount(ends(address + i));
        }
        for (; i < lengthBytes; i++) {
            count += MemoryUtil.getByte(address + i) == '\n' ? 1 : 0;
        }
        return count;
    }

    /** A bit for each byte of a block, the first one's lowest, that is set where a line ends. */
    private static long ends(long address) {
        long a = others(address);
        long b = others(address + Long.BYTES);
        long c = others(address + 2 * Long.BYTES);
        long d = others(address + 3 * Long.BYTES);
        if (WordBytes.isAll(a & b & c & d)) {
            return 0;
        }
        return WordBytes.bits(a)
                | WordBytes.bits(b) << 8
                | WordBytes.bits(c) << 16
                | WordBytes.bits(d) << 24;
    }

    private static long others(long address) {
        return WordBytes.others(MemoryUtil.getLong(address), NEWLINES);
    }
}
