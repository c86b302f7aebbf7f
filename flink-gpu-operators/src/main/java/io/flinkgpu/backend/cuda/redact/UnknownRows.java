package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.automaton.UnknownBytes;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Rows that hold bytes that are no UTF-8. The device gets empty ones for them, and the host redacts them. Text of
 * ASCII costs a look at each eight bytes.
 */
final class UnknownRows {

    private static final int COPY_BYTES = 1 << 14;
    private static final int LONGEST_SEQUENCE = 4;

    private UnknownRows() {}

    /** Whether a row has such bytes, or the one that holds lines. */
    static boolean isAny(TextView text) {
        int dataBytes = text.dataBytes();
        int first = text.firstNonAscii(0, dataBytes);
        if (first == dataBytes) {
            return false;
        }
        byte[] copy = new byte[Math.min(COPY_BYTES, dataBytes)];
        return IntStream.range(0, text.rows())
                .anyMatch(row -> text.end(row) > first && isAny(text, row, copy));
    }

    /** Which rows have such bytes, in order. */
    static int[] in(TextView text) {
        byte[] copy = new byte[COPY_BYTES];
        return IntStream.range(0, text.rows()).filter(row -> isAny(text, row, copy)).toArray();
    }

    private static boolean isAny(TextView text, int row, byte[] copy) {
        int end = text.end(row);
        int at = text.firstNonAscii(text.start(row), end);
        while (at < end) {
            int length = Math.min(copy.length, end - at);
            text.copy(at, copy, length);
            int first = UnknownBytes.firstIn(copy, length);
            boolean goesOn = at + length < end && length - first < LONGEST_SEQUENCE;
            if (first < length && (first == 0 || !goesOn)) {
                return true;
            }
            // What the copy's end cuts is looked at from its start.
            at += first;
        }
        return false;
    }

    /**
     * The batch with some rows empty.
     *
     * @param rows their numbers, in order
     * @return the caller's to close
     */
    static ColumnBatch without(BufferAllocator allocator, TextView text, int[] rows) {
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (text.rows() + 1L));
                ArrowBuf data = allocator.buffer(text.dataBytes())) {
            int to = 0;
            int next = 0;
            for (int row = 0; row < text.rows(); row++) {
                offsets.setInt((long) Integer.BYTES * row, to);
                boolean empty = next < rows.length && rows[next] == row;
                next += empty ? 1 : 0;
                int from = empty ? text.end(row) : text.start(row);
                int length = text.end(row) + text.separatorBytes() - from;
                MemoryUtil.copyMemory(text.dataAddress() + from, data.memoryAddress() + to, length);
                to += length;
            }
            offsets.setInt((long) Integer.BYTES * text.rows(), to);
            return TextColumns.of(allocator, text.rows(), offsets, data, text.separatorBytes());
        }
    }

    /** The rows of two lists that have none in common. */
    static int[] and(int[] rows, int[] others) {
        int[] all = Arrays.copyOf(rows, rows.length + others.length);
        System.arraycopy(others, 0, all, rows.length, others.length);
        return all;
    }
}
