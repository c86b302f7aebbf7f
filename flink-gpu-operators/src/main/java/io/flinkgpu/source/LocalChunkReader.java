package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Reads a split of a local file. It searches the end of a chunk first, and then reads the chunk into
 * an array of its length; a stream would have to read it into a larger one and copy it.
 */
final class LocalChunkReader extends ChunkReader {

    /** Searched at first, which has an end of most lines; then more, as the line is long. */
    private static final int FIRST_STEP_BYTES = 4 << 10;

    /** The JDK reads into memory of its own and copies from there: this many bytes stay in the L2 cache. */
    private static final int STEP_BYTES = 128 << 10;

    private static final long NONE = -1;

    private final FileChannel channel;
    private final long end;
    private final long fileBytes;
    private final int chunkBytes;
    private byte[] step = new byte[FIRST_STEP_BYTES];

    /**
     * @param resumeAt the start of a line, where an earlier reader has stopped; empty to read all
     */
    LocalChunkReader(
            LocalFileSystem fileSystem,
            FileSourceSplit split,
            int chunkBytes,
            boolean terminateLastLine,
            OptionalLong resumeAt)
            throws IOException {
        super(split.path().toString(), resumeAt.orElse(split.offset()), terminateLastLine);
        this.chunkBytes = chunkBytes;
        this.end = split.offset() + split.length();
        this.fileBytes = split.fileSize();
        this.channel =
                FileChannel.open(
                        fileSystem.pathToFile(split.path()).toPath(), StandardOpenOption.READ);
        try {
            if (split.offset() > 0 && resumeAt.isEmpty()) {
                long newline = firstNewline(split.offset() - 1, end - 1);
                advance((newline == NONE ? end : newline + 1) - split.offset());
            }
        } catch (Throwable t) {
            channel.close();
            throw t;
        }
    }

    @Override
    byte[] nextLines() throws IOException {
        if (position() >= end) {
            return new byte[0];
        }
        long length = endOfChunk() - position();
        byte[] lines = chunk(length, position() + length < fileBytes || endsWithNewline());
        read(position(), lines, (int) length);
        advance(length);
        return lines;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private long endOfChunk() throws IOException {
        long full = position() + chunkBytes;
        if (end <= full) {
            long newline = firstNewline(end - 1, Math.min(full, fileBytes));
            if (newline != NONE) {
                return newline + 1;
            } else if (fileBytes <= full) {
                return fileBytes;
            }
        }
        long last = lastNewline(position(), full);
        // A line that is longer than a chunk is a chunk of its own.
        long newline = last == NONE ? firstNewline(full, fileBytes) : last;
        return newline == NONE ? fileBytes : newline + 1;
    }

    private boolean endsWithNewline() throws IOException {
        return firstNewline(fileBytes - 1, fileBytes) != NONE;
    }

    private long firstNewline(long from, long to) throws IOException {
        int stepBytes = FIRST_STEP_BYTES;
        for (long at = from; at < to; ) {
            int length = (int) Math.min(stepBytes, to - at);
            readStep(at, length);
            for (int i = 0; i < length; i++) {
                if (step[i] == '\n') {
                    return at + i;
                }
            }
            at += length;
            stepBytes = STEP_BYTES;
        }
        return NONE;
    }

    private long lastNewline(long from, long to) throws IOException {
        int stepBytes = FIRST_STEP_BYTES;
        for (long at = to; at > from; ) {
            int length = (int) Math.min(stepBytes, at - from);
            at -= length;
            readStep(at, length);
            for (int i = length - 1; i >= 0; i--) {
                if (step[i] == '\n') {
                    return at + i;
                }
            }
            stepBytes = STEP_BYTES;
        }
        return NONE;
    }

    private void readStep(long from, int length) throws IOException {
        if (step.length < length) {
            step = new byte[STEP_BYTES];
        }
        read(from, step, length);
    }

    private void read(long from, byte[] target, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(target);
        while (buffer.position() < length) {
            buffer.limit((int) Math.min(length, (long) buffer.position() + STEP_BYTES));
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw truncated(fileBytes);
            }
        }
    }
}
