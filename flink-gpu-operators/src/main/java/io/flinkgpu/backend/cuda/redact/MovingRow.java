package io.flinkgpu.backend.cuda.redact;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * A row that has not the length of its place in the output.
 *
 * @param row its number, or {@link #OF_LINES}
 * @param place where the output has room for it
 * @param room how many bytes
 * @param bytes those of the row
 */
record MovingRow(int row, int place, int room, byte[] bytes) {

    /** Where the output is one row that holds lines. */
    static final int OF_LINES = -1;

    /**
     * Copies an output with the rows.
     *
     * @param moving in order
     * @param to of as many rows, with just the room for the text
     */
    static void copy(List<MovingRow> moving, OutputColumns from, OutputColumns to) {
        MemoryUtil.copyMemory(from.changedAddress(), to.changedAddress(), from.rows());
        int shift = 0;
        int copied = 0;
        int row = 0;
        for (MovingRow next : moving) {
            copyText(from, copied, next.place, to, shift);
            for (; row <= next.row; row++) {
                to.putOffset(row, from.offset(row) + shift);
            }
            MemoryUtil.copyToMemory(
                    next.bytes, 0, to.dataAddress() + next.place + shift, next.bytes.length);
            shift += next.bytes.length - next.room;
            copied = next.place + next.room;
        }
        copyText(from, copied, (int) from.dataBytes(), to, shift);
        for (; row <= from.rows(); row++) {
            to.putOffset(row, from.offset(row) + shift);
        }
    }

    private static void copyText(
            OutputColumns from, int start, int end, OutputColumns to, int shift) {
        MemoryUtil.copyMemory(
                from.dataAddress() + start, to.dataAddress() + start + shift, end - start);
    }
}
