package io.flinkgpu.source;

import io.flinkgpu.files.MissingFileException;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
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

    /** The lines that start before it are of the split. */
    private final long end;

    private final long fileBytes;

    /** Where the last line of the file ends. */
    private final long endOfFile;

    private final boolean endsFile;
    private boolean isTerminated = true;
    private byte[] step = new byte[FIRST_STEP_BYTES];

    /**
     * @param resumeAt the start of a line, where an earlier reader has stopped; empty to read all
     * @throws MissingFileException if the file is gone or shorter than it was
     */
    LocalChunkReader(
            LocalFileSystem fileSystem,
            FileSourceSplit split,
            Options options,
            OptionalLong resumeAt)
            throws IOException {
        super(split.path().toString(), resumeAt.orElse(split.offset()), options);
        this.fileBytes = split.fileSize();
        long endOfSplit = split.offset() + split.length();
        this.endsFile = endOfSplit == fileBytes;
        try {
            this.channel =
                    FileChannel.open(
                            fileSystem.pathToFile(split.path()).toPath(), StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw MissingFileException.gone(file(), e);
        }
        try {
            this.endOfFile = endOfFile();
            this.end = Math.min(endOfSplit, endOfFile);
            if (split.offset() > 0 && resumeAt.isEmpty() && position() < end) {
                long newline = firstNewline(split.offset() - 1, end - 1);
                advance((newline == NONE ? end : newline + 1) - split.offset());
            }
        } catch (Throwable t) {
            channel.close();
            throw t;
        }
    }

    @Override
    boolean isAtEnd() {
        return position() >= end;
    }

    @Override
    byte[] nextLines() throws IOException {
        long length = endOfChunk() - position();
        boolean hasEnd = position() + length < endOfFile || isTerminated;
        long lineBytes = hasEnd ? length - 1 : length;
        if (isTooLong(lineBytes)) {
            byte[] instead = insteadOf(position(), lineBytes, hasEnd);
            advance(length);
            return instead;
        }
        byte[] lines = chunk((int) length, hasEnd);
        read(position(), lines, (int) length);
        advance(length);
        return lines;
    }

    @Override
    public void close() throws IOException {
        try {
            // Looked at last, so that what was appended meanwhile is noticed, too.
            if (endsFile && isAtEnd() && channel.size() > fileBytes) {
                reports().grown(file(), fileBytes, channel.size());
            }
        } finally {
            channel.close();
        }
    }

    /** What was appended to the file ends its last line, or shows that this is being written. */
    private long endOfFile() throws IOException {
        if (fileBytes == 0 || firstNewline(fileBytes - 1, fileBytes) != NONE) {
            return fileBytes;
        }
        long bytes = channel.size();
        long newline = firstNewline(fileBytes, bytes);
        if (newline != NONE) {
            return newline + 1;
        }
        if (bytes <= fileBytes) {
            isTerminated = false;
            return fileBytes;
        }
        long lastLine = lastNewline(0, fileBytes) + 1;
        if (endsFile) {
            reports().withheld(file(), lastLine);
        }
        return lastLine;
    }

    private long endOfChunk() throws IOException {
        long full = position() + chunkBytes();
        if (end <= full) {
            long newline = firstNewline(end - 1, Math.min(full, endOfFile));
            if (newline != NONE) {
                return newline + 1;
            } else if (endOfFile <= full) {
                return endOfFile;
            }
        }
        long last = lastNewline(position(), full);
        // A line that is longer than a chunk is a chunk of its own.
        long newline = last == NONE ? firstNewline(full, endOfFile) : last;
        return newline == NONE ? endOfFile : newline + 1;
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
                throw shorter(fileBytes);
            }
        }
    }
}
