package io.flinkgpu.source;

import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.core.fs.FSDataInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Reads a split of any file from its start to its end. A compressed file is one split, whose positions
 * count decompressed bytes.
 */
final class StreamChunkReader extends ChunkReader {

    /** Read at once past the end of a split, where the rest of its last line is. */
    private static final int TAIL_BYTES = 4096;

    private static final int NONE = -1;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final long end;
    private final long fileBytes;
    private final int chunkBytes;
    private final InputStream in;

    /** What was read and not given out: {@code buffer[0, filled)}, its first byte at position. */
    private byte[] buffer = new byte[TAIL_BYTES];

    private int filled;
    private boolean endOfFile;

    /**
     * @param resumeAt the start of a line, where an earlier reader has stopped; empty to read all
     */
    StreamChunkReader(
            FileSourceSplit split, int chunkBytes, boolean terminateLastLine, OptionalLong resumeAt)
            throws IOException {
        super(
                split.path().toString(),
                resumeAt.orElse(Math.max(0, split.offset() - 1)),
                terminateLastLine);
        this.chunkBytes = chunkBytes;
        InflaterInputStreamFactory<?> decompressor =
                StandardDeCompressors.getDecompressorForFileName(split.path().getName());
        this.end = decompressor == null ? split.offset() + split.length() : UNKNOWN;
        this.fileBytes = decompressor == null ? split.fileSize() : UNKNOWN;
        FSDataInputStream stored = split.path().getFileSystem().open(split.path());
        try {
            if (decompressor == null) {
                stored.seek(position());
                this.in = stored;
            } else {
                this.in = new StoredStreams(decompressor, stored, split.fileSize());
                in.skipNBytes(position());
            }
            if (split.offset() > 0 && resumeAt.isEmpty()) {
                skipLine();
            }
        } catch (Throwable t) {
            stored.close();
            throw t;
        }
    }

    @Override
    byte[] nextLines() throws IOException {
        int length = position() < end ? findLines() : 0;
        byte[] lines = chunk(length, length > 0 && buffer[length - 1] == '\n');
        System.arraycopy(buffer, 0, lines, 0, length);
        drop(length);
        return lines;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void skipLine() throws IOException {
        while (position() < end && !endOfFile) {
            readUpTo(TAIL_BYTES);
            int newline = find(0, filled);
            drop(newline == NONE ? filled : newline + 1);
            if (newline != NONE) {
                return;
            }
        }
    }

    /** Reads until the buffer starts with whole lines of this split; returns their length. */
    private int findLines() throws IOException {
        long lastByte = end - 1 - position();
        readUpTo(Math.min(chunkBytes, Math.min(chunkBytes, lastByte) + 1 + TAIL_BYTES));
        int limit = Math.min(filled, chunkBytes);
        int newline = lastByte < limit ? find((int) lastByte, limit) : NONE;
        if (newline == NONE && !(endOfFile && limit == filled)) {
            newline = findLast(limit);
        }
        // A line that is longer than a chunk is a chunk of its own.
        while (newline == NONE) {
            newline = find(limit, filled);
            if (newline == NONE && endOfFile) {
                return filled;
            }
            if (newline == NONE) {
                limit = filled;
                checkLength(filled + 1L);
                readUpTo(2L * filled);
            }
        }
        return newline + 1;
    }

    private void readUpTo(long wanted) throws IOException {
        int target = (int) Math.min(Math.min(wanted, MAX_BYTES), fileBytes - position());
        if (buffer.length < target) {
            buffer = Arrays.copyOf(buffer, target);
        }
        while (filled < target && !endOfFile) {
            int read = in.read(buffer, filled, target - filled);
            if (read >= 0) {
                filled += read;
            } else if (fileBytes == UNKNOWN) {
                endOfFile = true;
            } else {
                throw truncated(fileBytes);
            }
        }
        endOfFile |= position() + filled == fileBytes;
    }

    private void drop(int length) {
        filled -= length;
        System.arraycopy(buffer, length, buffer, 0, filled);
        advance(length);
    }

    private int find(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return NONE;
    }

    private int findLast(int to) {
        for (int i = to - 1; i >= 0; i--) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return NONE;
    }
}
