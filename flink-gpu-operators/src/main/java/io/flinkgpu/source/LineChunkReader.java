package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.SingletonResultIterator;
import org.apache.flink.core.fs.FSDataInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads one split.
 *
 * <pre>
 *   file    ... aaaa\n bb | bb\n cccc\n dd | dd\n eeee\n ...
 *   split                 offset           end              gives cccc and dddd
 * </pre>
 *
 * A split that does not start the file starts behind the first {@code '\n'} at or behind {@code offset
 * - 1}; its last line ends with the first {@code '\n'} at or behind {@code end - 1}. A compressed file
 * is one split, whose positions count decompressed bytes.
 */
final class LineChunkReader implements BulkFormat.Reader<LineChunk> {

    /** Read at once behind the end of a split, where the rest of its last line is. */
    private static final int TAIL_BYTES = 4096;

    private static final int MAX_LINE_BYTES = Integer.MAX_VALUE - 8;

    private final String file;
    private final long end;
    private final int chunkBytes;
    private final boolean terminateLastLine;
    private final InputStream in;

    /** What was read and not given out: {@code buffer[0, filled)}, its first byte at position. */
    private byte[] buffer = new byte[TAIL_BYTES];

    private int filled;
    private long position;
    private boolean endOfFile;

    /** Opens a split at its start. */
    LineChunkReader(FileSourceSplit split, int chunkBytes, boolean terminateLastLine)
            throws IOException {
        this(split, chunkBytes, terminateLastLine, Math.max(0, split.offset() - 1));
        if (split.offset() > 0) {
            try {
                skipLine();
            } catch (Throwable t) {
                in.close();
                throw t;
            }
        }
    }

    /** Opens a split where an earlier reader has stopped, at the start of a line. */
    LineChunkReader(FileSourceSplit split, int chunkBytes, boolean terminateLastLine, long position)
            throws IOException {
        this.file = split.path().toString();
        this.chunkBytes = chunkBytes;
        this.terminateLastLine = terminateLastLine;
        this.position = position;
        InflaterInputStreamFactory<?> decompressor =
                StandardDeCompressors.getDecompressorForFileName(split.path().getName());
        this.end = decompressor == null ? split.offset() + split.length() : Long.MAX_VALUE;
        FSDataInputStream stored = split.path().getFileSystem().open(split.path());
        try {
            if (decompressor == null) {
                stored.seek(position);
                this.in = stored;
            } else {
                this.in = decompressor.create(stored);
                in.skipNBytes(position);
            }
        } catch (Throwable t) {
            stored.close();
            throw t;
        }
    }

    @Override
    public BulkFormat.RecordIterator<LineChunk> readBatch() throws IOException {
        int length = position < end ? findLines() : 0;
        if (length == 0) {
            return null;
        }
        boolean terminate = terminateLastLine && buffer[length - 1] != '\n';
        byte[] lines = Arrays.copyOf(buffer, terminate ? length + 1 : length);
        if (terminate) {
            lines[length] = '\n';
        }
        LineChunk chunk = new LineChunk(file, position, lines);
        drop(length);
        SingletonResultIterator<LineChunk> result = new SingletonResultIterator<>();
        result.set(chunk, position, 0);
        return result;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void skipLine() throws IOException {
        while (position < end && !endOfFile) {
            readUpTo(TAIL_BYTES);
            int newline = find(0);
            drop(newline < 0 ? filled : newline + 1);
            if (newline >= 0) {
                return;
            }
        }
    }

    /** Reads until the buffer starts with whole lines of this split; returns their length. */
    private int findLines() throws IOException {
        long lastByte = end - 1 - position;
        long wanted = Math.min(chunkBytes - TAIL_BYTES, lastByte + 1) + TAIL_BYTES;
        readUpTo(wanted);
        int newline = lastByte < filled ? find((int) lastByte) : -1;
        if (newline < 0 && !endOfFile) {
            newline = findLast();
        }
        // A line that is longer than a chunk is a chunk of its own.
        while (newline < 0 && !endOfFile) {
            int searched = filled;
            readUpTo(2L * filled);
            newline = find(searched);
        }
        return newline < 0 ? filled : newline + 1;
    }

    private void readUpTo(long wanted) throws IOException {
        if (filled == MAX_LINE_BYTES) {
            throw new IOException(
                    "a line has less than 2 GiB: file="
                            + file
                            + ", offsetBytes="
                            + position
                            + "; is this a text file?");
        }
        int target = (int) Math.min(wanted, MAX_LINE_BYTES);
        if (buffer.length < target) {
            buffer = Arrays.copyOf(buffer, target);
        }
        while (filled < target && !endOfFile) {
            int read = in.read(buffer, filled, target - filled);
            if (read < 0) {
                endOfFile = true;
            } else {
                filled += read;
            }
        }
    }

    private void drop(int length) {
        filled -= length;
        System.arraycopy(buffer, length, buffer, 0, filled);
        position += length;
    }

    private int find(int from) {
        for (int i = from; i < filled; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private int findLast() {
        for (int i = filled - 1; i >= 0; i--) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
