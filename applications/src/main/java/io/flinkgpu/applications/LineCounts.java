package io.flinkgpu.applications;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;

/**
 * The lines of a file, counted by ranges of bytes, so that each range can be read apart from the others and
 * yet the numbers of its lines are known. A line belongs to the range with the line end before it, the first
 * one to the first. Travels in the job graph.
 *
 * @param file absolute
 * @param bytes of the file
 * @param rangeBytes of each range but the last
 * @param firstLines how many line ends come before each range
 * @param lines how many there are; what follows the last line end is one, unless it is empty
 * @param commas how many there are
 */
record LineCounts(
        String file, long bytes, int rangeBytes, long[] firstLines, long lines, long commas)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int BUFFER_BYTES = 1 << 18;
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7f7f_7f7f_7f7f_7f7fL;

    /** What a range has. */
    private record Range(long lineEnds, long commas, boolean endsLine) {}

    /** Counts with all cores. */
    static LineCounts of(Path file, int rangeBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long bytes = channel.size();
            int count = Math.max(1, Math.toIntExact((bytes + rangeBytes - 1) / rangeBytes));
            Range[] ranges =
                    IntStream.range(0, count)
                            .parallel()
                            .mapToObj(number -> count(channel, number, rangeBytes, bytes))
                            .toArray(Range[]::new);
            long[] firstLines = new long[count];
            long lineEnds = 0;
            long commas = 0;
            for (int i = 0; i < count; i++) {
                firstLines[i] = lineEnds;
                lineEnds += ranges[i].lineEnds;
                commas += ranges[i].commas;
            }
            boolean isOpen = bytes > 0 && !ranges[count - 1].endsLine;
            return new LineCounts(
                    file.toString(),
                    bytes,
                    rangeBytes,
                    firstLines,
                    lineEnds + (isOpen ? 1 : 0),
                    commas);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** How many there are: of an empty file one without lines. */
    int ranges() {
        return firstLines.length;
    }

    private static Range count(FileChannel channel, int number, int rangeBytes, long fileBytes) {
        byte[] buffer = new byte[BUFFER_BYTES];
        long at = (long) number * rangeBytes;
        long end = Math.min(fileBytes, at + rangeBytes);
        long lineEnds = 0;
        long commas = 0;
        byte last = 0;
        try {
            while (at < end) {
                int wanted = (int) Math.min(BUFFER_BYTES, end - at);
                int read = channel.read(ByteBuffer.wrap(buffer, 0, wanted), at);
                if (read < 0) {
                    break;
                }
                lineEnds += count(buffer, read, (byte) '\n');
                commas += count(buffer, read, (byte) ',');
                last = buffer[read - 1];
                at += read;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Range(lineEnds, commas, last == '\n');
    }

    /** How many of the first bytes are this one. */
    private static long count(byte[] buffer, int length, byte wanted) {
        long pattern = EACH_BYTE * wanted;
        long count = 0;
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            count += Long.bitCount(equal((long) WORDS.get(buffer, at), pattern));
        }
        for (; at < length; at++) {
            count += buffer[at] == wanted ? 1 : 0;
        }
        return count;
    }

    /** Where a byte is first found, or -1. */
    static int indexOf(byte[] buffer, int from, int to, byte wanted) {
        long pattern = EACH_BYTE * wanted;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long found = equal((long) WORDS.get(buffer, at), pattern);
            if (found != 0) {
                return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        for (; at < to; at++) {
            if (buffer[at] == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** The high bit of each byte that is the pattern's. */
    private static long equal(long word, long pattern) {
        long different = word ^ pattern;
        return ~((different & LOW_BITS) + LOW_BITS | different | LOW_BITS);
    }
}
