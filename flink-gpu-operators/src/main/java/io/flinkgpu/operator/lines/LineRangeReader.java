package io.flinkgpu.operator.lines;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.column.WordBytes;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.FileNotFoundException;
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
 * stays open until a range of another one, or of another listing. For one thread; an interrupt ends a read with {@code
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

    private static final byte[] NOTHING = {};

    private final FileReports reports;
    private byte[] step = new byte[FIRST_STEP_BYTES];
    private RangeFile file;
    private LineRange range;
    private long firstLine;

    /** Of the lines found, what is read from the file; after it comes what is put in place of the last. */
    private int fileLength;

    private byte[] instead = NOTHING;

    /** The last of the lines in the range, if something else is put in its place. */
    private TooLongLine tooLong;

    private boolean isTerminated;

    /** The first line that starts at or after {@code knownFrom} is at {@code knownLine}. */
    private long knownFrom = NONE;

    private long knownLine = NONE;

    /**
     * @param reports has what is not as it should be
     */
    LineRangeReader(FileReports reports) {
        this.reports = reports;
    }

    /**
     * Finds the lines of a range.
     *
     * @return their bytes; 0 if no line starts in the range, or if the file is skipped
     * @throws IOException if the file is gone or shorter than it was and that fails the job, if it cannot be
     *     read, if a line is longer than allowed, or if the lines have 2 GiB or more
     */
    int find(LineRange next) throws IOException {
        try {
            open(next);
            range = next;
            return find();
        } catch (MissingFileException e) {
            reports.missing(e, next.policy());
            return nothing();
        } catch (FileNotFoundException e) {
            reports.missing(MissingFileException.gone(next.file(), e), next.policy());
            return nothing();
        }
    }

    private int find() throws IOException {
        instead = NOTHING;
        tooLong = null;
        long fileBytes = range.fileBytes();
        long end = range.offsetBytes() + range.lengthBytes();
        firstLine = firstLine(range.offsetBytes(), end);
        if (firstLine == NONE || firstLine >= end) {
            return nothing();
        }
        long newline = newline(end - 1, fileBytes);
        boolean isLast = newline == NONE || end == fileBytes;
        long grownBytes = isLast ? Math.max(fileBytes, file.lengthBytes()) : fileBytes;
        if (grownBytes > fileBytes) {
            reports.grown(range.file(), fileBytes, grownBytes);
        }
        if (newline == NONE) {
            newline = newline(fileBytes, grownBytes);
        }
        knownFrom = newline == NONE ? NONE : end;
        knownLine = newline == NONE ? NONE : newline + 1;
        if (newline == NONE && grownBytes > fileBytes) {
            return withoutLastLine(end);
        }
        isTerminated = newline != NONE;
        return lines(end, isTerminated ? newline + 1 : fileBytes);
    }

    /** Of the lines that start before a place and end at another. */
    private int lines(long end, long endOfLines) throws IOException {
        FilePolicy policy = range.policy();
        long length = endOfLines - firstLine;
        if (length > policy.maxLineBytes()) {
            long lastLine = lastLine(end);
            long lineBytes = endOfLines - lastLine - (isTerminated ? 1 : 0);
            if (lineBytes > policy.maxLineBytes()) {
                tooLong = new TooLongLine(range.file(), lastLine, lineBytes);
                instead = FileReports.insteadOf(tooLong, isTerminated, policy);
                isTerminated |= instead.length == 0;
                length = lastLine - firstLine;
            }
        }
        if (length > MAX_BYTES - instead.length) {
            throw Errors.io(
                    "the lines of a range have less than 2 GiB: file=%s, offsetBytes=%s,"
                            + " lengthBytes=%s; is this a text file, or are the ranges too large?",
                    range.file(), firstLine, length);
        }
        fileLength = (int) length;
        return lengthBytes();
    }

    private int withoutLastLine(long end) throws IOException {
        long lastLine = lastLine(end);
        reports.withheld(range.file(), lastLine);
        isTerminated = true;
        return lines(lastLine, lastLine);
    }

    private int nothing() {
        fileLength = 0;
        instead = NOTHING;
        tooLong = null;
        return 0;
    }

    private int lengthBytes() {
        return fileLength + instead.length;
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
     * @throws MissingFileException if the file is shorter than it was, or if the last line does not end any
     *     more where it did
     * @throws IOException if it cannot be read
     */
    void read(long address, int fromBytes, int wantedBytes) throws IOException {
        int ofFile = Math.max(0, Math.min(wantedBytes, fileLength - fromBytes));
        if (ofFile > 0) {
            readFile(address, fromBytes, ofFile);
        }
        if (ofFile < wantedBytes) {
            MemoryUtil.copyToMemory(
                    instead,
                    fromBytes + ofFile - fileLength,
                    address + ofFile,
                    wantedBytes - ofFile);
        }
    }

    private void readFile(long address, int fromBytes, int wantedBytes) throws IOException {
        if (file.read(firstLine + fromBytes, address, wantedBytes) < wantedBytes) {
            throw shorter();
        }
        boolean hasLast = fromBytes + wantedBytes == fileLength;
        boolean hasEnd = isTerminated || instead.length > 0;
        if (hasEnd && hasLast && MemoryUtil.getByte(address + wantedBytes - 1) != '\n') {
            throw MissingFileException.changed(range.file(), range.fileBytes());
        }
    }

    /**
     * What was found is not there any more.
     *
     * @throws MissingFileException if that fails the job
     */
    void skip(MissingFileException missing) throws MissingFileException {
        reports.missing(missing, range.policy());
        nothing();
    }

    /** The lines found, if any, are used and will not be searched for again. */
    void used() {
        if (tooLong != null) {
            reports.tooLong(tooLong, range.policy());
            tooLong = null;
        }
    }

    /** Reads the lines found into an array of their own, and so uses them. */
    byte[] readBytes() throws IOException {
        byte[] bytes = new byte[lengthBytes()];
        if (fileLength > 0 && file.read(firstLine, bytes, fileLength) < fileLength) {
            skip(MissingFileException.shorter(range.file(), range.fileBytes()));
            return NOTHING;
        }
        System.arraycopy(instead, 0, bytes, fileLength, instead.length);
        used();
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
        // One that was listed again may be another file of the same name.
        boolean isOpen =
                file != null
                        && next.file().equals(range.file())
                        && next.fileBytes() == range.fileBytes();
        if (!isOpen) {
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
            readStep(position, wanted);
            int found = newline(wanted);
            if (found != NONE) {
                return position + found;
            }
            position += wanted;
            stepBytes = STEP_BYTES;
        }
        return NONE;
    }

    private void readStep(long from, int wanted) throws IOException {
        if (step.length < wanted) {
            step = new byte[STEP_BYTES];
        }
        if (file.read(from, step, wanted) < wanted) {
            throw shorter();
        }
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

    /** Where the last of the lines starts that start before a place. */
    private long lastLine(long end) throws IOException {
        int stepBytes = FIRST_STEP_BYTES;
        for (long to = end - 1; to > firstLine; ) {
            int wanted = (int) Math.min(stepBytes, to - firstLine);
            to -= wanted;
            readStep(to, wanted);
            for (int i = wanted - 1; i >= 0; i--) {
                if (step[i] == '\n') {
                    return to + i + 1;
                }
            }
            stepBytes = STEP_BYTES;
        }
        return firstLine;
    }

    private MissingFileException shorter() {
        return MissingFileException.shorter(range.file(), range.fileBytes());
    }
}
