package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.RecordLimits;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;

/**
 * Reads the records of a file, or of what a file has more than before, from its start to its end.
 *
 * <pre>
 *   file     start aaaa\n    at b\n    at c\n start dddd\n start eeee\n    at f\n
 *   records |--------------------------------|------------|---------------------|
 * </pre>
 *
 * A record ends where a line starts the next one. One that is over a limit is read to its end and not kept. Lines at
 * the start of a file are a record of their own; at the start of what a file has more, they are of a record that was
 * given out without them, and so over the limit of time.
 *
 * <p>A file that has grown since it was listed is read on to the start of the next record, as what is there belongs
 * to the last one. Where there is no start yet, that record is left out.
 */
final class RecordReader implements BulkFormat.Reader<LineChunk> {

    /** One that is processed, one that waits, one that is read. */
    private static final int MAX_BATCHES = 3;

    private static final int STEP_BYTES = 128 << 10;
    private static final int NONE = -1;

    /**
     * How records are read.
     *
     * @param batchBytes of records that are handed on together
     * @param follows whether splits end where records do, or else where the file ended when it was listed
     */
    record Options(int batchBytes, FilePolicy policy, RecordStart start, boolean follows)
            implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    private final Options options;
    private final RecordLimits limits;
    private final FileReports reports;
    private final String file;
    private final RecordBytes in;
    private final Semaphore room = new Semaphore(MAX_BATCHES);

    /** Whether the first line may be of a record that was given out. */
    private boolean continues;

    /** What was read and not given out: {@code buffer[first, first + filled)}, its first byte at position. */
    private byte[] buffer = new byte[2 * STEP_BYTES];

    private int first;
    private int filled;
    private long position;
    private boolean isTerminated;

    /** Whether the rest of the file is gone; what a file of its name gets later is no part of what was read of it. */
    private boolean isMissing;

    /**
     * @param resumeAt where an earlier reader has stopped, the start of a record, or any line if it read lines; empty to
     *     read all
     * @throws FileNotFoundException if the file is gone
     */
    RecordReader(FileSourceSplit split, Options options, FileReports reports, OptionalLong resumeAt)
            throws IOException {
        this.options = options;
        this.limits = options.start().limits();
        this.reports = reports;
        this.file = split.path().toString();
        this.position = resumeAt.orElse(split.offset());
        this.continues = position > 0;
        this.in = new RecordBytes(split, options.follows(), position);
    }

    @Override
    public BulkFormat.RecordIterator<LineChunk> readBatch() throws IOException {
        if (isMissing) {
            return null;
        }
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reading of " + file + " was interrupted");
        }
        ArrayDeque<RecordAndPosition<LineChunk>> batch = new ArrayDeque<>();
        try {
            long bytes = 0;
            while (bytes < options.batchBytes()) {
                LineChunk next = next();
                if (next == null) {
                    break;
                }
                batch.add(new RecordAndPosition<>(next, position, 0));
                bytes += next.lengthBytes();
            }
        } catch (FileNotFoundException e) {
            isMissing = true;
            reports.missing(MissingFileException.gone(file, e), options.policy());
        } catch (MissingFileException e) {
            isMissing = true;
            reports.missing(e, options.policy());
        }
        return batch.isEmpty() ? null : new Batch(batch);
    }

    /** Null at the end of the split. */
    private LineChunk next() throws IOException {
        while (position < in.end() && hasByte(0)) {
            long start = position;
            boolean isLate = continues && !startsRecord(0);
            continues = false;
            int length = readRecord(isLate);
            if (length == NONE) {
                return null;
            }
            byte[] record = length > 0 ? take(length) : insteadOf(start, isLate);
            if (record.length > 0) {
                return LineChunk.ofRecord(file, start, record);
            }
        }
        return null;
    }

    /**
     * Reads on to the end of the record that the buffer starts with.
     *
     * @param isLate whether it is over a limit as it is
     * @return its length; 0 if it is over a limit, and not kept; {@link #NONE} if it has no end yet
     */
    private int readRecord(boolean isLate) throws IOException {
        long start = position;
        boolean over = isLate;
        long lines = 0;
        int at = 0;
        do {
            int newline = find(at, filled);
            while (newline == NONE && !in.isAtEnd()) {
                over |= filled > limits.maxBytes();
                failIf(over, start, isLate);
                if (over) {
                    drop(filled);
                    at = 0;
                }
                int searched = filled;
                read();
                newline = find(searched, filled);
            }
            at = newline == NONE ? filled : newline + 1;
            isTerminated = newline != NONE;
            lines++;
            over |= at > limits.maxBytes() || lines > limits.maxLines();
            failIf(over, start, isLate);
            if (over) {
                drop(at);
                at = 0;
            }
        } while (hasByte(at) && !startsRecord(at));
        if (!hasByte(at) && in.endsWithinRecord()) {
            reports.withheld(file, start);
            return NONE;
        }
        return over ? 0 : at;
    }

    private void failIf(boolean over, long start, boolean isLate) throws IOException {
        if (over && limits.longer() == LongLine.FAIL) {
            throw FileReports.tooLongRecord(file, start, limits, isLate);
        }
    }

    private byte[] take(int length) {
        boolean adds = !isTerminated && options.policy().terminatesLastLine();
        byte[] record = new byte[length + (adds ? 1 : 0)];
        System.arraycopy(buffer, first, record, 0, length);
        if (adds) {
            record[length] = '\n';
        }
        drop(length);
        return record;
    }

    /** What stands in place of a record that was over a limit, and read. */
    private byte[] insteadOf(long start, boolean isLate) {
        reports.longRecord(file, start, position - start, limits, isLate);
        if (limits.longer() == LongLine.SKIP) {
            return new byte[0];
        }
        boolean hasEnd = isTerminated || options.policy().terminatesLastLine();
        return (hasEnd ? RecordLimits.LABEL + '\n' : RecordLimits.LABEL)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private boolean hasByte(int at) throws IOException {
        while (filled <= at && !in.isAtEnd()) {
            read();
        }
        return filled > at;
    }

    /** Whether the line at an index of what is in the buffer starts a record. */
    private boolean startsRecord(int at) throws IOException {
        while (filled - at < RecordStart.MAX_BYTES && find(at, filled) == NONE && !in.isAtEnd()) {
            read();
        }
        return options.start().matches(buffer, first + at, first + filled);
    }

    private void read() throws IOException {
        System.arraycopy(buffer, first, buffer, 0, filled);
        first = 0;
        if (buffer.length - filled < STEP_BYTES) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        filled += in.read(buffer, filled, STEP_BYTES);
    }

    private void drop(int length) {
        first += length;
        filled -= length;
        position += length;
    }

    private int find(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[first + i] == '\n') {
                return i;
            }
        }
        return NONE;
    }

    @Override
    public void close() throws IOException {
        if (in.limit() > in.end()) {
            reports.grown(file, in.end(), in.limit());
        }
        in.close();
    }

    /** Records that were read together. */
    private final class Batch implements BulkFormat.RecordIterator<LineChunk> {

        private final ArrayDeque<RecordAndPosition<LineChunk>> records;

        Batch(ArrayDeque<RecordAndPosition<LineChunk>> records) {
            this.records = records;
        }

        @Override
        public RecordAndPosition<LineChunk> next() {
            return records.poll();
        }

        @Override
        public void releaseBatch() {
            room.release();
        }
    }
}
