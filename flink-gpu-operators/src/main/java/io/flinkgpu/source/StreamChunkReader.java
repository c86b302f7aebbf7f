package io.flinkgpu.source;

import io.flinkgpu.files.MissingFileException;

import org.apache.flink.api.common.io.compression.InflaterInputStreamFactory;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Reads a split of any file from its start to its end. A compressed file is one split, whose positions
 * count decompressed bytes; it is read whole, whatever it was when it was listed.
 */
final class StreamChunkReader extends ChunkReader {

    /** Read at once past the end of a split, where the rest of its last line is. */
    private static final int TAIL_BYTES = 4096;

    private static final int STEP_BYTES = 64 << 10;
    private static final int NONE = -1;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Path path;
    private final long end;
    private final long listedBytes;
    private final boolean endsFile;

    /** How many bytes of the file are read: more than were listed where its last line was completed. */
    private long fileBytes;

    private InputStream in;

    /** What was read and not given out: {@code buffer[0, filled)}, its first byte at position. */
    private byte[] buffer = new byte[TAIL_BYTES];

    private int filled;
    private boolean endOfFile;

    /**
     * @param resumeAt the start of a line, where an earlier reader has stopped; empty to read all
     * @throws FileNotFoundException if the file is gone
     * @throws MissingFileException if it is shorter than it was
     */
    StreamChunkReader(FileSourceSplit split, Options options, OptionalLong resumeAt)
            throws IOException {
        super(split.path().toString(), resumeAt.orElse(Math.max(0, split.offset() - 1)), options);
        this.path = split.path();
        InflaterInputStreamFactory<?> decompressor =
                StandardDeCompressors.getDecompressorForFileName(path.getName());
        long endOfSplit = split.offset() + split.length();
        this.end = decompressor == null ? endOfSplit : UNKNOWN;
        this.listedBytes = split.fileSize();
        this.fileBytes = decompressor == null ? listedBytes : UNKNOWN;
        this.endsFile = endOfSplit == listedBytes;
        FSDataInputStream stored = path.getFileSystem().open(path);
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
    boolean isAtEnd() {
        return position() >= end || endOfFile && filled == 0;
    }

    @Override
    byte[] nextLines() throws IOException {
        int length = findLines();
        boolean hasEnd = length > 0 && buffer[length - 1] == '\n';
        if (isTooLong(hasEnd ? length - 1 : length)) {
            return insteadOfLongLine(length, hasEnd);
        }
        byte[] lines = chunk(length, hasEnd);
        System.arraycopy(buffer, 0, lines, 0, length);
        drop(length);
        return lines;
    }

    @Override
    public void close() throws IOException {
        try {
            if (endsFile && isAtEnd()) {
                long bytes = nowBytes();
                if (bytes > listedBytes) {
                    reports().grown(file(), listedBytes, bytes);
                }
            }
        } catch (FileNotFoundException e) {
            // It was read to its end before it went.
        } finally {
            in.close();
        }
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

    /**
     * Reads until the buffer starts with whole lines of this split, or with more of one than a line may have.
     *
     * @return their length
     */
    private int findLines() throws IOException {
        long lastByte = end - 1 - position();
        readUpTo(Math.min(chunkBytes(), Math.min(chunkBytes(), lastByte) + 1 + TAIL_BYTES));
        int limit = Math.min(filled, chunkBytes());
        int newline = lastByte < limit ? find((int) lastByte, limit) : NONE;
        if (newline == NONE && !(endOfFile && limit == filled)) {
            newline = findLast(limit);
        }
        // A line that is longer than a chunk is a chunk of its own.
        while (newline == NONE) {
            newline = find(limit, filled);
            if (newline == NONE && (endOfFile || isTooLong(filled))) {
                return filled;
            }
            if (newline == NONE) {
                limit = filled;
                readUpTo(Math.min(2L * filled, maxLineBytes() + 1L));
            }
        }
        return newline + 1;
    }

    /** Drops the line that the buffer starts with, reading on to its end. */
    private byte[] insteadOfLongLine(int length, boolean isWhole) throws IOException {
        long start = position();
        boolean hasEnd = isWhole;
        drop(length);
        while (!hasEnd && !endOfFile) {
            readUpTo(STEP_BYTES);
            int newline = find(0, filled);
            hasEnd = newline != NONE;
            drop(hasEnd ? newline + 1 : filled);
        }
        return insteadOf(start, position() - start - (hasEnd ? 1 : 0), hasEnd);
    }

    private void readUpTo(long wanted) throws IOException {
        int target = (int) Math.min(wanted, fileBytes - position());
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
                throw shorter(listedBytes);
            }
        }
        if (position() + filled == fileBytes) {
            endOfFile = true;
            if (fileBytes == listedBytes && filled > 0 && buffer[filled - 1] != '\n') {
                completeLastLine();
            }
        }
    }

    /** Sees to it that a line which was being written when the file was listed is read to its end, or not. */
    private void completeLastLine() throws IOException {
        long bytes = nowBytes();
        if (bytes <= listedBytes) {
            return;
        }
        long newline = firstNewline(listedBytes, bytes);
        if (newline == NONE) {
            filled = findLast(filled) + 1;
            reports().withheld(file(), position() + filled);
            return;
        }
        fileBytes = newline + 1;
        endOfFile = false;
        in.close();
        in = open(listedBytes);
    }

    private long firstNewline(long from, long to) throws IOException {
        byte[] step = new byte[STEP_BYTES];
        try (InputStream appended = open(from)) {
            for (long at = from; at < to; ) {
                int read = appended.read(step, 0, (int) Math.min(step.length, to - at));
                for (int i = 0; i < read; i++) {
                    if (step[i] == '\n') {
                        return at + i;
                    }
                }
                if (read < 0) {
                    throw shorter(to);
                }
                at += read;
            }
        }
        return NONE;
    }

    private FSDataInputStream open(long from) throws IOException {
        FSDataInputStream stored = path.getFileSystem().open(path);
        try {
            stored.seek(from);
            return stored;
        } catch (Throwable t) {
            stored.close();
            throw t;
        }
    }

    private long nowBytes() throws IOException {
        return path.getFileSystem().getFileStatus(path).getLen();
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
