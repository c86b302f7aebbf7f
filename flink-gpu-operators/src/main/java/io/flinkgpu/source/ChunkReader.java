package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.LineChunk;

import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.SingletonResultIterator;

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
 * it was listed.
 *
 * <p>Waits with the next chunk while {@link #MAX_CHUNKS} of them are not released.
 */
abstract class ChunkReader implements BulkFormat.Reader<LineChunk> {

    /** One that is processed, one that waits, one that is read. */
    static final int MAX_CHUNKS = 3;

    static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private final String file;
    private final boolean terminateLastLine;
    private final Semaphore room = new Semaphore(MAX_CHUNKS);
    private long position;

    ChunkReader(String file, long position, boolean terminateLastLine) {
        this.file = file;
        this.position = position;
        this.terminateLastLine = terminateLastLine;
    }

    /**
     * Reads the next lines of the split, from {@link #position()}, and advances.
     *
     * @return empty at the end of the split
     */
    abstract byte[] nextLines() throws IOException;

    @Override
    public final BulkFormat.RecordIterator<LineChunk> readBatch() throws IOException {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reading of " + file + " was interrupted");
        }
        long start = position;
        byte[] lines = nextLines();
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

    /**
     * Makes the array of a chunk.
     *
     * @param isTerminated whether its lines end with {@code '\n'}
     */
    final byte[] chunk(long lengthBytes, boolean isTerminated) throws IOException {
        checkLength(lengthBytes);
        if (isTerminated || !terminateLastLine || lengthBytes == 0) {
            return new byte[(int) lengthBytes];
        }
        byte[] chunk = new byte[(int) lengthBytes + 1];
        chunk[chunk.length - 1] = '\n';
        return chunk;
    }

    final void checkLength(long lengthBytes) throws IOException {
        if (lengthBytes >= MAX_BYTES) {
            throw Errors.io(
                    "a line has less than 2 GiB: file=%s, offsetBytes=%s; is this a text file?",
                    file, position);
        }
    }

    final IOException truncated(long fileBytes) {
        return Errors.io(
                "an input file is shorter than when it was listed: file=%s, fileBytes=%s; leave"
                        + " input files as they are until the job ends",
                file, fileBytes);
    }
}
