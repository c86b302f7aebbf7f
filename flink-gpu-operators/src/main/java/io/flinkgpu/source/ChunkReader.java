package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.TooLongLine;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.SingletonResultIterator;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/**
 * Reads one split.
 *
 * <pre>
 *   file    ... aaaa\n bb | bb\n cccc\n dd | dd\n eeee\n ...
 *   split                 offset           end              gives cccc and dddd
 * </pre>
 *
 * A split that does not start the file starts after the first {@code '\n'} at or after {@code offset
 * - 1}; its last line ends with the first {@code '\n'} at or after {@code end - 1}, or with the file as
 * it was listed. A file that was listed in the middle of a line and has grown is read to the end of that line;
 * if it has none yet, the line is left out.
 *
 * <p>A chunk has no more bytes than a line may have, so a longer line is never in one with others: it is
 * searched for its end and not read.
 *
 * <p>Waits with the next chunk while {@link #MAX_CHUNKS} of them are not released.
 */
abstract class ChunkReader implements BulkFormat.Reader<LineChunk> {

    /** One that is processed, one that waits, one that is read. */
    static final int MAX_CHUNKS = 3;

    private static final byte[] NO_LINES = {};

    /** How a format reads files. */
    record Options(int chunkBytes, FilePolicy policy, FileReports reports) {}

    private final String file;
    private final FilePolicy policy;
    private final FileReports reports;
    private final int chunkBytes;
    private final Semaphore room = new Semaphore(MAX_CHUNKS);
    private long position;

    ChunkReader(String file, long position, Options options) {
        this.file = file;
        this.position = position;
        this.policy = options.policy();
        this.reports = options.reports();
        this.chunkBytes = Math.min(options.chunkBytes(), policy.maxLineBytes());
    }

    /**
     * Reads the next lines of the split, from {@link #position()}, and advances.
     *
     * @return empty where a line was left out, or at the end of the split
     */
    abstract byte[] nextLines() throws IOException;

    /** Whether all lines of the split were read. */
    abstract boolean isAtEnd();

    @Override
    public final BulkFormat.RecordIterator<LineChunk> readBatch() throws IOException {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reading of " + file + " was interrupted");
        }
        long start = position;
        byte[] lines = NO_LINES;
        try {
            while (lines.length == 0 && !isAtEnd()) {
                start = position;
                lines = nextLines();
            }
        } catch (FileNotFoundException e) {
            reports.missing(MissingFileException.gone(file, e), policy);
        } catch (MissingFileException e) {
            reports.missing(e, policy);
        }
        if (lines.length == 0) {
            return null;
        }
        SingletonResultIterator<LineChunk> result = new SingletonResultIterator<>(room::release);
        result.set(new LineChunk(file, start, lines), position, 0);
        return result;
    }

    /** Where in the file the next lines start. */
    final long position() {
        return position;
    }

    final void advance(long bytes) {
        position += bytes;
    }

    final String file() {
        return file;
    }

    final int chunkBytes() {
        return chunkBytes;
    }

    final FileReports reports() {
        return reports;
    }

    /** Whether bytes without an end of a line are more than a line may have. */
    final boolean isTooLong(long bytes) {
        return bytes > policy.maxLineBytes();
    }

    /**
     * Makes the array of a chunk.
     *
     * @param isTerminated whether its lines end with {@code '\n'}
     */
    final byte[] chunk(int lengthBytes, boolean isTerminated) {
        if (isTerminated || !policy.terminatesLastLine() || lengthBytes == 0) {
            return new byte[lengthBytes];
        }
        byte[] chunk = new byte[lengthBytes + 1];
        chunk[lengthBytes] = '\n';
        return chunk;
    }

    final int maxLineBytes() {
        return policy.maxLineBytes();
    }

    /**
     * Counts a line that is too long.
     *
     * @param start where it starts in the file
     * @param lineBytes of the line without its {@code '\n'}
     * @return what stands in its place
     */
    final byte[] insteadOf(long start, long lineBytes, boolean isTerminated) throws IOException {
        TooLongLine line = new TooLongLine(file, start, lineBytes);
        byte[] instead =
                FileReports.insteadOf(line, isTerminated || policy.terminatesLastLine(), policy);
        reports.tooLong(line, policy);
        return instead;
    }

    final MissingFileException shorter(long fileBytes) {
        return MissingFileException.shorter(file, fileBytes);
    }
}
