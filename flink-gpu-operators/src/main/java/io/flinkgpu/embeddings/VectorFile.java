package io.flinkgpu.embeddings;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The base file of a table, open. All of it was read once, for its checksum; vectors are read again by their
 * numbers. Where scales and biases are tensors of their own they stay in memory.
 */
@Internal
public final class VectorFile implements AutoCloseable {

    private static final int BLOCK_BYTES = 1 << 20;

    /** What a thread reads of vectors before it takes the next. */
    private static final int PART_BYTES = 4 << 20;

    private final EmbeddingTable table;
    private final FileChannel channel;
    private final FileLayout layout;
    private final int vectorBytes;
    private final int storedBytes;
    private final long checkNanos;

    /** Scale and bias of each vector; null where they are stored with it. */
    private ArrowBuf quantization;

    private VectorFile(
            EmbeddingTable table, FileChannel channel, FileLayout layout, long checkNanos) {
        this.table = table;
        this.channel = channel;
        this.layout = layout;
        this.checkNanos = checkNanos;
        this.vectorBytes = table.vectorBytes();
        this.storedBytes =
                layout.hasOwnQuantization()
                        ? vectorBytes - ElementType.QUANTIZATION_BYTES
                        : vectorBytes;
    }

    /**
     * Opens a table's file and checks all of it.
     *
     * @param table one with a base file
     * @param allocator of what stays in memory
     * @param workers read the file
     * @throws IOException if it cannot be read, is no such file or not the table's, in one line that names file
     *     and remedy
     */
    public static VectorFile open(EmbeddingTable table, BufferAllocator allocator, Workers workers)
            throws IOException {
        BaseFile base = table.base().orElseThrow();
        FileChannel channel = channel(table.name(), base.path());
        try {
            long start = System.nanoTime();
            FileLayout layout =
                    switch (base.format()) {
                        case RAW -> RawHeader.read(table, base, channel, workers);
                        case SAFETENSORS -> SafetensorsHeader.read(table, base, channel, workers);
                    };
            long checksum = layout.checksum();
            if (base.checksum().isPresent() && base.checksum().getAsLong() != checksum) {
                throw Errors.io(
                        "a base file is what it was when the state was written: table=%s, file=%s,"
                                + " checksum=%08x, expected=%08x; put the old file back, or start without"
                                + " the state",
                        table.name(), base.path(), checksum, base.checksum().getAsLong());
            }
            VectorFile file = new VectorFile(table, channel, layout, System.nanoTime() - start);
            if (layout.hasOwnQuantization()) {
                file.readQuantization(allocator);
            }
            return file;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static FileChannel channel(String table, String path) throws IOException {
        try {
            if (Files.isDirectory(Path.of(path))) {
                throw new FileSystemException(path, null, "Is a directory");
            }
            return FileChannel.open(Path.of(path), StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw Errors.io(
                    "a base file must be there on every machine: table=%s, file=%s; copy it there, or"
                            + " name another path",
                    table, path);
        } catch (FileSystemException e) {
            throw Errors.io(
                    "a base file can be read: table=%s, file=%s, reason=%s; make it readable, or name"
                            + " another path",
                    table,
                    path,
                    e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
        }
    }

    private void readQuantization(BufferAllocator allocator) throws IOException {
        long count = layout.vectors();
        quantization = allocator.buffer(Math.max(1, count * ElementType.QUANTIZATION_BYTES));
        try (ArrowBuf block = allocator.buffer(BLOCK_BYTES)) {
            spread(layout.scalesAt(), 0, block);
            spread(layout.biasesAt(), Float.BYTES, block);
        } catch (IOException | RuntimeException | Error e) {
            quantization.close();
            throw e;
        }
    }

    /** Copies floats that are one after another to where those of vectors are. */
    private void spread(long from, int offset, ArrowBuf block) throws IOException {
        int most = BLOCK_BYTES / Float.BYTES;
        for (long first = 0; first < layout.vectors(); first += most) {
            int count = (int) Math.min(most, layout.vectors() - first);
            readFully(channel, from + first * Float.BYTES, block.memoryAddress(), 4 * count);
            for (int i = 0; i < count; i++) {
                long target =
                        quantization.memoryAddress()
                                + (first + i) * ElementType.QUANTIZATION_BYTES
                                + offset;
                MemoryUtil.putInt(target, MemoryUtil.getInt(block.memoryAddress() + 4L * i));
            }
        }
    }

    /** How long it took to read all of it. */
    long checkNanos() {
        return checkNanos;
    }

    /** How many vectors it has. */
    public long vectors() {
        return layout.vectors();
    }

    /** A number that its writer gave it; 0 where the format has none. */
    public long version() {
        return layout.version();
    }

    /** CRC-32C of its content: in the library's format that of its header, else of the whole file. */
    public long checksum() {
        return layout.checksum();
    }

    /** Gets the ids of vectors. */
    @FunctionalInterface
    public interface Ids {

        void accept(long number, long id) throws IOException;
    }

    /** Reads all ids, in the order of the vectors. */
    public void readIds(BufferAllocator allocator, Ids ids) throws IOException {
        int most = BLOCK_BYTES / Long.BYTES;
        try (ArrowBuf block = allocator.buffer(BLOCK_BYTES)) {
            for (long first = 0; first < layout.vectors(); first += most) {
                int count = (int) Math.min(most, layout.vectors() - first);
                readIds(first, count, block.memoryAddress());
                for (int i = 0; i < count; i++) {
                    ids.accept(first + i, MemoryUtil.getLong(block.memoryAddress() + 8L * i));
                }
            }
        }
    }

    /** Reads ids of vectors that are one after another, 8 bytes each. Any thread's. */
    void readIds(long first, int count, long address) throws IOException {
        if (layout.hasIds()) {
            long from = layout.idsAt() + first * Long.BYTES;
            readFully(channel, from, address, Long.BYTES * count);
            return;
        }
        for (int i = 0; i < count; i++) {
            MemoryUtil.putLong(address + (long) Long.BYTES * i, first + i);
        }
    }

    /** The error of an id that is there twice. */
    public IOException twice(long number) {
        return Errors.io(
                "each vector of a base file has an id of its own: table=%s, file=%s, vector=%s; write"
                        + " each id once",
                table.name(), table.base().orElseThrow().path(), number);
    }

    /** The same as {@link #readVectors(long, long, long)} by several threads. */
    void readVectors(long first, long count, long address, Workers workers) throws IOException {
        int most = Math.max(1, PART_BYTES / vectorBytes);
        workers.run(
                Math.toIntExact((count + most - 1) / most),
                part -> {
                    long done = (long) part * most;
                    long some = Math.min(most, count - done);
                    readVectors(first + done, some, address + done * vectorBytes);
                });
    }

    /** Reads vectors that are one after another. Any thread's. */
    public void readVectors(long first, long count, long address) throws IOException {
        int most = Math.max(1, BLOCK_BYTES / storedBytes);
        for (long done = 0; done < count; done += most) {
            int some = (int) Math.min(most, count - done);
            long target = address + done * vectorBytes;
            readFully(channel, offset(first + done), target, some * storedBytes);
            if (quantization != null) {
                complete(first + done, some, target);
            }
        }
    }

    /** Moves bytes that were read to their places, from the last to the first, and puts scales before them. */
    private void complete(long first, int count, long address) {
        for (int i = count - 1; i >= 0; i--) {
            long target = address + (long) i * vectorBytes;
            moveUp(
                    address + (long) i * storedBytes,
                    target + ElementType.QUANTIZATION_BYTES,
                    storedBytes);
            putQuantization(first + i, target);
        }
    }

    private static void moveUp(long from, long to, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            MemoryUtil.putByte(to + i, MemoryUtil.getByte(from + i));
        }
    }

    /** Puts what is not stored with a vector before its bytes. */
    private void putQuantization(long number, long address) {
        MemoryUtil.putLong(
                address,
                MemoryUtil.getLong(
                        quantization.memoryAddress() + number * ElementType.QUANTIZATION_BYTES));
    }

    /** Adds a vector to what is to be read. */
    public void read(DiskReads reads, long number, long target) {
        if (quantization != null) {
            putQuantization(number, target);
        }
        reads.add(channel, offset(number), storedBytes, target + vectorBytes - storedBytes);
    }

    /** Where a vector is in the file. */
    private long offset(long number) {
        return layout.vectorsAt() + number * storedBytes;
    }

    /** Reads bytes, all of which are there. */
    static void readFully(FileChannel channel, long offset, long address, int bytes)
            throws IOException {
        ByteBuffer target = MemoryUtil.directBuffer(address, bytes);
        readFully(channel, offset, target);
    }

    static void readFully(FileChannel channel, long offset, ByteBuffer target) throws IOException {
        long next = offset;
        while (target.hasRemaining()) {
            int read = channel.read(target, next);
            if (read < 0) {
                throw Errors.io(
                        "a file of vectors must not shrink while it is read: bytes=%s, needed=%s; restore"
                                + " it and restart the job",
                        next, next + target.remaining());
            }
            next += read;
        }
    }

    @Override
    public String toString() {
        return "table=%s, file=%s, vectors=%s"
                .formatted(table.name(), table.base().orElseThrow().path(), layout.vectors());
    }

    @Override
    public void close() throws IOException {
        if (quantization != null) {
            quantization.close();
        }
        channel.close();
    }
}
