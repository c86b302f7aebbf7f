package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.ElementType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** Base files of vectors that are made up, written by all cores in parts, so that no part but those is in memory. */
public final class MadeVectorFile {

    private static final int PART_VECTORS = 1 << 14;

    private MadeVectorFile() {}

    /** Makes a vector up. */
    @FunctionalInterface
    public interface Vectors {

        /**
         * Puts the bytes of a vector where the target is. Any thread's.
         *
         * @param target little-endian
         */
        void put(long number, ByteBuffer target);
    }

    /**
     * Writes a file in the library's format.
     *
     * @param count of vectors
     * @param ids by the numbers of the vectors, from 0 on; each once
     */
    public static void write(
            Path path,
            ElementType type,
            int dimension,
            long count,
            Vectors vectors,
            LongUnaryOperator ids)
            throws IOException {
        int vectorBytes = type.vectorBytes(dimension);
        long idsAt = RawHeader.BYTES + count * vectorBytes;
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            long parts = (count + PART_VECTORS - 1) / PART_VECTORS;
            LongStream.range(0, parts)
                    .parallel()
                    .forEach(
                            part -> {
                                long first = part * PART_VECTORS;
                                int some = (int) Math.min(PART_VECTORS, count - first);
                                ByteBuffer bytes = buffer(some * vectorBytes);
                                ByteBuffer ofIds = buffer(some * Long.BYTES);
                                for (long number = first; number < first + some; number++) {
                                    vectors.put(number, bytes);
                                    ofIds.putLong(ids.applyAsLong(number));
                                }
                                write(channel, bytes, RawHeader.BYTES + first * vectorBytes);
                                write(channel, ofIds, idsAt + first * Long.BYTES);
                            });
            try (Workers workers = Workers.forLoading()) {
                long checksum =
                        FileChecksum.of(
                                channel, RawHeader.BYTES, idsAt + count * Long.BYTES, workers);
                write(channel, new RawHeader(type, dimension, 1, count).bytes(checksum), 0);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes all that was put. */
    private static void write(FileChannel channel, ByteBuffer bytes, long at) {
        bytes.rewind();
        try {
            for (long next = at; bytes.hasRemaining(); ) {
                next += channel.write(bytes, next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
