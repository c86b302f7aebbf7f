package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Writes the vectors of a table, with what changed since its base file, to a new one: those of the old file in their
 * order, then new ones by their ids. The same changes give the same file, so that several tasks may write it at a
 * time.
 */
@Internal
public final class Rebase {

    private static final int BLOCK_BYTES = 1 << 20;

    private final EmbeddingTable table;
    private final TreeMap<Long, byte[]> changes;

    /**
     * @param table whose base file has the checksum that it must have, if there is one
     * @param changes by ids; null for what is deleted
     */
    public Rebase(EmbeddingTable table, Map<Long, byte[]> changes) {
        this.table = table;
        this.changes = new TreeMap<>(changes);
    }

    /**
     * Writes the file, unless it is there.
     *
     * @param directory made if it is not there
     * @param version of the file
     * @return the file, whose name says of what it was made
     */
    public Path write(Path directory, long version) throws IOException {
        Files.createDirectories(directory);
        String name = table.name().replaceAll("[^A-Za-z0-9._-]", "_");
        Path path =
                directory.resolve(
                        String.format(
                                Locale.ROOT, "%s-%d-%08x.vectors", name, version, fingerprint()));
        if (!Files.exists(path)) {
            writeAll(path, version);
        }
        return path;
    }

    /** Of all that decides about the content. */
    private long fingerprint() {
        CRC32C checksum = new CRC32C();
        String old = table.name() + table.base().map(base -> base.checksum().getAsLong());
        checksum.update(old.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<Long, byte[]> change : changes.entrySet()) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                checksum.update((int) (change.getKey() >>> shift));
            }
            checksum.update(change.getValue() == null ? 0 : 1);
            if (change.getValue() != null) {
                checksum.update(change.getValue());
            }
        }
        return checksum.getValue();
    }

    private void writeAll(Path path, long version) throws IOException {
        TreeMap<Long, byte[]> added = new TreeMap<>(changes);
        try (VectorFileWriter writer =
                new VectorFileWriter(path, table.type(), table.dimension())) {
            if (table.base().isPresent()) {
                copyBase(writer, added);
            }
            for (Map.Entry<Long, byte[]> change : added.entrySet()) {
                if (change.getValue() != null) {
                    writer.add(change.getKey(), change.getValue());
                }
            }
            writer.finish(version);
        }
    }

    /** Writes what is in the old file, and takes it out of what is to be added. */
    private void copyBase(VectorFileWriter writer, Map<Long, byte[]> added) throws IOException {
        int vectorBytes = table.vectorBytes();
        int inBlock = Math.max(1, BLOCK_BYTES / vectorBytes);
        byte[] vector = new byte[vectorBytes];
        try (BufferAllocator allocator = new RootAllocator();
                Workers workers = Workers.forLoading();
                VectorFile file = VectorFile.open(table, allocator, workers);
                ArrowBuf block = allocator.buffer((long) inBlock * vectorBytes)) {
            file.readIds(
                    allocator,
                    (number, id) -> {
                        long place = number % inBlock;
                        if (place == 0) {
                            long count = Math.min(inBlock, file.vectors() - number);
                            file.readVectors(number, count, block.memoryAddress());
                        }
                        if (!changes.containsKey(id)) {
                            MemoryUtil.copyFromMemory(
                                    block.memoryAddress() + place * vectorBytes,
                                    vector,
                                    0,
                                    vectorBytes);
                            writer.add(id, vector);
                        } else if (added.get(id) != null) {
                            writer.add(id, added.remove(id));
                        }
                    });
        }
    }
}
