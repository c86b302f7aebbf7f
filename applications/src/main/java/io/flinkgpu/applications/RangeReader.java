package io.flinkgpu.applications;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Reads the lines of a range of a file. Not thread-safe; the caller closes it. */
final class RangeReader implements AutoCloseable {

    /** Longer than any set of different elements, by far. */
    static final int MAX_LINE_BYTES = 16 << 20;

    private static final int MORE_BYTES = 1 << 16;

    private final LineCounts counts;
    private final FileChannel channel;
    private byte[] buffer;

    /** Uses a line, whose bytes stay the reader's. */
    interface Target {

        /**
         * @param number of the line in its file; the first is 0
         * @param from where it starts
         * @param to where its line end is, or the '\r' before it
         */
        void line(long number, byte[] bytes, int from, int to);
    }

    RangeReader(LineCounts counts) throws IOException {
        this.counts = counts;
        channel = FileChannel.open(Path.of(counts.file()), StandardOpenOption.READ);
        buffer = new byte[counts.rangeBytes() + MORE_BYTES];
    }

    /**
     * Reads the lines that belong to a range.
     *
     * @throws IOException also if the file has changed since it was counted
     */
    void read(int range, Target target) throws IOException {
        if (channel.size() != counts.bytes()) {
            throw new IOException(
                    "the file has changed while it was read: file="
                            + counts.file()
                            + ", bytes="
                            + channel.size()
                            + ", before="
                            + counts.bytes()
                            + "; start again once it is complete");
        }
        long start = (long) range * counts.rangeBytes();
        int length = (int) Math.min(counts.rangeBytes(), counts.bytes() - start);
        fill(start, 0, length);
        long number = counts.firstLines()[range];
        int at = 0;
        if (range > 0) {
            at = LineCounts.indexOf(buffer, 0, length, (byte) '\n') + 1;
            if (at == 0) {
                return;
            }
            number++;
        }
        int filled = length;
        while (at <= length && start + at < counts.bytes()) {
            int end = LineCounts.indexOf(buffer, at, filled, (byte) '\n');
            while (end < 0 && start + filled < counts.bytes()) {
                checkLength(number, filled - at);
                int searched = filled;
                filled += (int) Math.min(MORE_BYTES, counts.bytes() - start - filled);
                fill(start, searched, filled);
                end = LineCounts.indexOf(buffer, searched, filled, (byte) '\n');
            }
            boolean isEnded = end >= 0;
            end = isEnded ? end : filled;
            boolean hasReturn = isEnded && end > at && buffer[end - 1] == '\r';
            target.line(number++, buffer, at, hasReturn ? end - 1 : end);
            at = end + 1;
        }
    }

    private void checkLength(long number, int bytes) {
        if (bytes > MAX_LINE_BYTES) {
            throw MalformedException.of(
                    counts.file(),
                    number,
                    "it has more than " + MAX_LINE_BYTES + " bytes; shorten it");
        }
    }

    private void fill(long start, int from, int to) throws IOException {
        if (to > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(to, buffer.length + buffer.length / 2));
        }
        ByteBuffer free = ByteBuffer.wrap(buffer, from, to - from);
        while (free.hasRemaining()) {
            if (channel.read(free, start + free.position()) < 0) {
                throw new IOException(
                        "the file has become shorter while it was read: file="
                                + counts.file()
                                + "; start again once it is complete");
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
