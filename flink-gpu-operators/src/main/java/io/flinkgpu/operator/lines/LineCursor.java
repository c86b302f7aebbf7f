package io.flinkgpu.operator.lines;

import io.flinkgpu.column.TextView;
import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/** Takes lines of a batch to the host, from first to last. Keeps the last one taken. */
final class LineCursor {

    private static final long NEWLINES = WordBytes.repeated('\n');

    private final TextView text;
    private final List<LineSegment> segments;
    private final int firstRow;
    private int row;
    private int start;
    private int next;
    private byte[] bytes = new byte[128];
    private int length;

    /**
     * @param text the lines; a row may have many
     * @param segments of the batch that the lines are part of
     * @param firstRow which row of the batch is the first here
     */
    LineCursor(TextView text, List<LineSegment> segments, int firstRow) {
        this.text = text;
        this.segments = segments;
        this.firstRow = firstRow;
    }

    /**
     * Takes the next line.
     *
     * @return false if there is none
     */
    boolean next() {
        if (next >= text.dataBytes()) {
            return false;
        }
        take(next);
        return true;
    }

    /** Takes the line that starts at a byte, which is not before the next one. */
    void take(int lineStart) {
        while (text.end(row) <= lineStart) {
            row++;
        }
        start = lineStart;
        int end = text.end(row);
        int newline = newline(lineStart, end);
        length = newline - lineStart;
        next = Math.min(newline + 1, end);
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, 2 * bytes.length)];
        }
        MemoryUtil.copyFromMemory(text.dataAddress() + lineStart, bytes, 0, length);
    }

    /** Where the line starts in the batch. */
    int start() {
        return start;
    }

    /** The line is {@code bytes()[0, length())}; valid until the next is taken. */
    byte[] bytes() {
        return bytes;
    }

    /** Bytes of the line, without the {@code '\n'}. */
    int length() {
        return length;
    }

    String file() {
        return segment().file();
    }

    /** Where the line starts in its file. */
    long offsetBytes() {
        return segment().offsetBytes() + (start - text.start(row));
    }

    private LineSegment segment() {
        return segments.get(firstRow + row);
    }

    private int newline(int from, int end) {
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            long marks = WordBytes.marks(MemoryUtil.getLong(text.dataAddress() + i), NEWLINES);
            if (marks != 0) {
                return i + WordBytes.first(marks);
            }
        }
        for (; i < end && MemoryUtil.getByte(text.dataAddress() + i) != '\n'; ) {
            i++;
        }
        return i;
    }
}
