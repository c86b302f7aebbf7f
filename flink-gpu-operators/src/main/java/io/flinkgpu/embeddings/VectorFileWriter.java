package io.flinkgpu.embeddings;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.ElementType;

import org.apache.flink.annotation.Internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes a file in the library's format. It is under another name until {@link #finish}, so that nobody reads a part
 * of it. The ids stay in memory until then.
 */
@Internal
public final class VectorFileWriter implements AutoCloseable {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int MOST_VECTORS = 1 << 30;

    private final Path path;
    private final Path unfinished;
    private final FileChannel channel;
    private final ElementType type;
    private final int dimension;
    private final int mostVectors;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer block;
    private long[] ids = new long[1_024];
    private int vectors;

    public VectorFileWriter(Path path, ElementType type, int dimension) throws IOException {
        this(path, type, dimension, MOST_VECTORS);
    }

    /**
     * @param mostVectors at most 2^30
     */
    VectorFileWriter(Path path, ElementType type, int dimension, int mostVectors)
            throws IOException {
        this.mostVectors = mostVectors;
        this.path = path.toAbsolutePath();
        this.type = type;
        this.dimension = dimension;
        block =
                ByteBuffer.allocate(Math.max(BLOCK_BYTES, type.vectorBytes(dimension)))
                        .order(ByteOrder.LITTLE_ENDIAN);
        unfinished =
                Files.createTempFile(
                        this.path.getParent(), this.path.getFileName().toString(), ".unfinished");
        channel = FileChannel.open(unfinished, StandardOpenOption.WRITE);
        channel.position(RawHeader.BYTES);
    }

    /**
     * Adds a vector.
     *
     * @param elements as the type has them
     * @throws IOException also if the file has as many vectors as it can have
     */
    public void add(long id, byte[] elements) throws IOException {
        if (vectors == mostVectors) {
            throw Errors.io(
                    "a file of vectors has at most %s, as their ids are in memory while it is written:"
                            + " file=%s; spread them over several tables",
                    mostVectors, path);
        }
        if (block.remaining() < elements.length) {
            writeBlock();
        }
        block.put(elements);
        if (vectors == ids.length) {
            ids = Arrays.copyOf(ids, Math.toIntExact(2L * vectors));
        }
        ids[vectors++] = id;
    }

    private void writeBlock() throws IOException {
        block.flip();
        checksum.update(block.duplicate());
        while (block.hasRemaining()) {
            channel.write(block);
        }
        block.clear();
    }

    /** Gives the file its name, in place of one that had it. */
    public void finish(long version) throws IOException {
        for (int i = 0; i < vectors; i++) {
            if (block.remaining() < Long.BYTES) {
                writeBlock();
            }
            block.putLong(ids[i]);
        }
        writeBlock();
        ByteBuffer header =
                new RawHeader(type, dimension, version, vectors).bytes(checksum.getValue());
        for (long at = 0; header.hasRemaining(); ) {
            at += channel.write(header, at);
        }
        channel.force(true);
        channel.close();
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Deletes what was not finished. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(unfinished);
    }
}
