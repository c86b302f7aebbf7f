package io.flinkgpu.sql.operator;

import io.flinkgpu.column.TextView;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;

/**
 * Reads a column of text as Flink's texts. Several rows share an array on the heap, which is never written
 * again, so that the texts stay valid after the column is closed. Not thread-safe.
 */
final class TextResults {

    /** Bytes that are copied at once. Who keeps one text keeps as many. */
    private static final int WINDOW_BYTES = 4 << 10;

    private final TextView column;
    private MemorySegment[] window;
    private int windowStart;
    private int windowEnd;

    TextResults(TextView column) {
        this.column = column;
    }

    /** The text of a row that has one. */
    StringData get(int row) {
        int start = column.start(row);
        int end = column.end(row);
        if (window == null || start < windowStart || end > windowEnd) {
            windowStart = start;
            windowEnd =
                    Math.max(end, (int) Math.min((long) start + WINDOW_BYTES, column.dataBytes()));
            byte[] bytes = column.copy(windowStart, windowEnd);
            window = new MemorySegment[] {MemorySegmentFactory.wrap(bytes)};
        }
        return BinaryStringData.fromAddress(window, start - windowStart, end - start);
    }
}
