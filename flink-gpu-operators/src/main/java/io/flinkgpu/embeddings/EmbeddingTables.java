package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * All tables of a lookup on the host. Base files share the budget by their sizes; what is left of it is for changed
 * vectors.
 */
@Internal
public final class EmbeddingTables implements AutoCloseable {

    private final List<VectorFile> files = new ArrayList<>();
    private final List<StoredTable> stored = new ArrayList<>();
    private final DiskReads reads = new DiskReads();
    private final TableGauges gauges;
    private final VectorMemory memory;

    /**
     * Opens and loads all base files.
     *
     * @param hostBytes the most memory that vectors may take
     * @param allocator of that memory and of the indexes
     * @param scratch a directory for changed vectors that memory has no room for
     * @throws IOException if a file cannot be read or is not its table's; nothing is held then
     */
    public EmbeddingTables(
            List<EmbeddingTable> tables, long hostBytes, BufferAllocator allocator, String scratch)
            throws IOException {
        gauges = new TableGauges(tables);
        memory = new VectorMemory(allocator, hostBytes);
        try (Workers workers = Workers.forLoading()) {
            long fileBytes = 0;
            for (EmbeddingTable table : tables) {
                VectorFile file =
                        table.base().isPresent()
                                ? VectorFile.open(table, allocator, workers)
                                : null;
                files.add(file);
                fileBytes += file == null ? 0 : file.vectors() * table.vectorBytes();
            }
            for (int i = 0; i < tables.size(); i++) {
                VectorFile file = files.get(i);
                long bytes = file == null ? 0 : file.vectors() * tables.get(i).vectorBytes();
                long share =
                        fileBytes <= hostBytes
                                ? bytes
                                : (long) ((double) hostBytes * bytes / fileBytes);
                stored.add(
                        new StoredTable(
                                tables.get(i), file, memory, share, allocator, scratch, workers));
                if (file != null) {
                    gauges.set(i, TableGauge.BASE_VERSION, file.version());
                    gauges.set(i, TableGauge.BASE_CHECKSUM, file.checksum());
                }
                changed(i);
            }
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** How many tables there are. */
    public int size() {
        return stored.size();
    }

    public StoredTable table(int number) {
        return stored.get(number);
    }

    public TableGauges gauges() {
        return gauges;
    }

    /** Whether all vectors of all tables are in memory. */
    public boolean isInMemory() {
        return stored.stream().allMatch(StoredTable::isInMemory);
    }

    /** Sets what is watched of a table after changes. */
    public void changed(int number) {
        StoredTable table = stored.get(number);
        gauges.set(number, TableGauge.VECTORS, table.index().size());
        gauges.set(number, TableGauge.HOST_BYTES, table.memoryBytes());
    }

    /**
     * Reads vectors that are in files.
     *
     * @param number of the table
     * @param locations of them, in ascending order
     * @param target where the first goes; the others follow
     */
    public void read(int number, long[] locations, int count, ArrowBuf target) throws IOException {
        StoredTable table = stored.get(number);
        long started = System.nanoTime();
        int vectorBytes = table.table().vectorBytes();
        for (int i = 0; i < count; i++) {
            table.read(reads, locations[i], target.memoryAddress() + (long) i * vectorBytes);
        }
        reads.run();
        gauges.add(number, TableGauge.DISK_READS, count);
        gauges.waited(number, System.nanoTime() - started);
    }

    @Override
    public void close() {
        reads.close();
        IOException failure = null;
        for (StoredTable table : stored) {
            failure = closed(table::close, failure);
        }
        for (VectorFile file : files) {
            failure = file == null ? failure : closed(file::close, failure);
        }
        memory.close();
        if (failure != null) {
            throw new UncheckedIOException(
                    "a file of vectors did not close: " + failure.getMessage(), failure);
        }
    }

    /** Closes one of the files of tables. */
    private interface Closing {

        void close() throws IOException;
    }

    private static IOException closed(Closing closing, IOException before) {
        try {
            closing.close();
            return before;
        } catch (IOException e) {
            if (before != null) {
                e.addSuppressed(before);
            }
            return e;
        }
    }
}
