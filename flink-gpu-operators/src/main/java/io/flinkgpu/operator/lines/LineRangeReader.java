package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.column.WordBytes;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the whole lines of a range and reads them straight into memory of the caller.
 *
 * <pre>
 *   file    ... aaaa\n bb | bb\n cccc\n dd | dd\n eeee\n ...
 *   range                 offset           end              has cccc and dddd
 * </pre>
 *
 * A range that does not start the file starts after the first {@code '\n'} at or after {@code offset -
 * 1}; its last line ends with the first {@code '\n'} at or after {@code end - 1}, or with the file as it
 * was listed. A line longer than a range is all in one of them, and the next ones are empty.
 *
 * <p>{@code find} says how many bytes the lines have, so that the caller can make room; {@code read}
 * reads them. The two read a few KiB around the range's ends and then copy each byte once. The file
 * stays open until a range of another one. For one thread; an interrupt ends a read with {@code
 * ClosedByInterruptException} where the file is local.
 */
final class LineRangeReader implements AutoCloseable {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NEWLINES = WordBytes.repeated('\n');
    private static final int NONE = -1;

    /** The most that an array has; an int still has room for what is put after them. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    /** First a page, which has the end of most lines; then more, as the line is long. */
    private static final int FIRST_STEP_BYTES = 4 << 10;

    private static final int STEP_BYTES = 128 << 10;

    private byte[] step = new byte[FIRST_STEP_BYTES];
    private RangeFile file;
    private LineRange range;
    private long firstLine;
    private int lengthBytes;
    private boolean isTerminated;

    /** The first line that starts at or after {@code knownFrom} is at {@code knownLine}. */
    private long knownFrom = NONE;

    private long knownLine = NONE;

    /**
     * Finds the lines of a range.
     *
     * @return their bytes; 0 if no line starts in the range
     * @throws IOException if the file is gone or shorter than it was, cannot be read, or if the lines
     *     have 2 GiB or more
     */
    int find(LineRange next) throws IOException {
        open(next);
        range = next;
        long end = next.offsetBytes() + next.lengthBytes();
        firstLine = firstLine(next.offsetBytes(), end);
        if (firstLine == NONE || firstLine >= end) {
            lengthBytes = 0;
            return 0;
        }
        long newline = newline(end - 1, next.fileBytes());
        long endOfLines = newline == NONE ? next.fileBytes() : newline + 1;
        isTerminated = newline != NONE;
        knownFrom = newline == NONE ? NONE : end;
        knownLine = newline == NONE ? NONE : endOfLines;
        if (endOfLines - firstLine > MAX_BYTES) {
            throw Errors.io(
                    "the lines of a range have less than 2 GiB: file=%s, offsetBytes=%s,"
                            + " lengthBytes=%s; is this a text file, or are the ranges too large?",
                    next.file(), firstLine, endOfLines - firstLine);
        }
        lengthBytes = (int) (endOfLines - firstLine);
        return lengthBytes;
    }

    /** Where in the file the lines found start, unless there are none. */
    long firstLineBytes() {
        return firstLine;
    }

    /** Whether the last of the lines found ends with {@code '\n'}; if not, the file ends there. */
    boolean isTerminated() {
        return isTerminated;
    }

    /**
     * Reads some bytes of the lines found.
     *
     * @param address of memory with room for them
     * @param fromBytes which is the first
     * @throws IOException if the file is shorter than it was, cannot be read, or if the last line does not
     *     end any more where it did
     */
    void read(long address, int fromBytes, int wantedBytes) throws IOException {
        if (file.read(firstLine + fromBytes, address, wantedBytes) < wantedBytes) {
            throw truncated();
        }
        boolean hasLast = wantedBytes > 0 && fromBytes + wantedBytes == lengthBytes;
        if (isTerminated && hasLast && MemoryUtil.getByte(address + wantedBytes - 1) != '\n') {
            throw failure("an input file was written to while it was read");
        }
    }

    /** Reads the lines found into an array of their own. */
    byte[] readBytes() throws IOException {
        byte[] bytes = new byte[lengthBytes];
        if (lengthBytes > 0 && file.read(firstLine, bytes, lengthBytes) < lengthBytes) {
            throw truncated();
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    private void open(LineRange next) throws IOException {
        if (file == null || !next.file().equals(range.file())) {
            close();
            knownFrom = NONE;
            knownLine = NONE;
            file = RangeFile.open(next.file());
        }
    }

    private long firstLine(long offset, long end) throws IOException {
        if (offset == 0) {
            return 0;
        }
        if (knownFrom != NONE && knownFrom <= offset && offset <= knownLine) {
            return knownLine;
        }
        long newline = newline(offset - 1, end - 1);
        return newline == NONE ? NONE : newline + 1;
    }

    /** Where the first {@code '\n'} of {@code [from, to)} is; {@link #NONE} without one. */
    private long newline(long from, long to) throws IOException {
        int stepBytes = FIRST_STEP_BYTES;
        for (long position = from; position < to; ) {
            int wanted = (int) Math.min(stepBytes, to - position);
            if (step.length < wanted) {
                step = new byte[STEP_BYTES];
            }
            if (file.read(position, step, wanted) < wanted) {
                throw truncated();
            }
            int found = newline(wanted);
            if (found != NONE) {
                return position + found;
            }
            position += wanted;
            stepBytes = STEP_BYTES;
        }
        return NONE;
    }

    private int newline(int length) {
        int i = 0;
        for (int end = length & -Long.BYTES; i < end; i += Long.BYTES) {
            long marks = WordBytes.marks((long) LONGS.get(step, i), NEWLINES);
            if (marks != 0) {
                return i + WordBytes.first(marks);
            }
        }
        for (; i < length; i++) {
            if (step[i] == '\n') {
                return i;
            }
        }
        return NONE;
    }

    private IOException truncated() {
        return failure("an input file is shorter than when it was listed");
    }

    private IOException failure(String rule) {
        return Errors.io(
                "%s: file=%s, fileBytes=%s; leave input files as they are until the job ends",
                rule, range.file(), range.fileBytes());
    }
}
