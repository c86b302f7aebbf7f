package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;
import io.flinkgpu.column.TextView;
import io.flinkgpu.embeddings.DiskReads;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.embeddings.TableGauges;
import io.flinkgpu.embeddings.VectorFile;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All tables of a lookup, in the order of their numbers, where a device finds them. */
final class DeviceTables implements AutoCloseable {

    private final LookupPace pace;
    private final TableGauges gauges;
    private final IdHash hash = IdHash.random();
    private final CloseStack resources = new CloseStack();
    private final List<DeviceTable> tables = new ArrayList<>();
    private final BatchReads batchReads;
    private final Puts puts;
    private final Admission admission;
    private final LookupMemory.Piece described;
    private final long translatedBytes;

    /** Batches since caches were changed, and how often they were. */
    private int batches;

    private long cacheVersion;

    /** See {@link LookupMemory#translatedBytes}. */
    long translatedBytes() {
        return translatedBytes;
    }

    /**
     * Loads all base files.
     *
     * @param queue stays the caller's
     * @param columns an allocator of memory that the queue copies
     */
    DeviceTables(
            EmbeddingTablesPlan plan,
            LookupQueue queue,
            LookupMemory memory,
            BufferAllocator columns,
            LookupPace pace)
            throws BackendException {
        this.pace = pace;
        translatedBytes = memory.translatedBytes();
        if (plan.tables().size() > LookupAbi.LOOKUP_MOST_TABLES) {
            throw new BackendException(
                    "a lookup on a GPU has at most "
                            + LookupAbi.LOOKUP_MOST_TABLES
                            + " tables: tables="
                            + plan.tables().size()
                            + "; make several lookups of them, or choose the CPU");
        }
        gauges = new TableGauges(plan.tables());
        BufferAllocator allocator = resources.push(new RootAllocator());
        DiskReads reads = resources.push(new DiskReads());
        batchReads = new BatchReads(tables, reads);
        List<VectorFile> files = new ArrayList<>();
        try (Workers workers = Workers.forLoading()) {
            List<Long> bytes = new ArrayList<>();
            int mostBytes = 0;
            for (EmbeddingTable table : plan.tables()) {
                VectorFile file = table.base().isPresent() ? open(table, allocator, workers) : null;
                if (file != null) {
                    gauges.set(files.size(), TableGauge.BASE_VERSION, file.version());
                    gauges.set(files.size(), TableGauge.BASE_CHECKSUM, file.checksum());
                }
                files.add(file);
                VectorShape shape = VectorShape.of(table);
                bytes.add(TableSpace.bytes(file, shape));
                mostBytes = Math.max(mostBytes, shape.stride());
            }
            puts = resources.push(new Puts(queue, columns, mostBytes));
            admission = resources.push(new Admission(queue, columns, pace));
            described =
                    resources.push(
                            memory.take(
                                    (long) LookupAbi.LOOKUP_TABLE_BYTES * plan.tables().size()));
            TableSpace space =
                    new TableSpace(
                            memory,
                            allocator,
                            hash,
                            plan.scratch(),
                            reads,
                            workers,
                            new Budget(plan.hostBytes()),
                            new Budget(plan.deviceBytes()),
                            bytes.stream().mapToLong(Long::longValue).sum(),
                            plan.hostBytes(),
                            TableSpace.share(bytes, plan.deviceBytes()));
            for (EmbeddingTable table : plan.tables()) {
                // The table closes its file from here on, whatever fails.
                VectorFile file = files.set(tables.size(), null);
                tables.add(resources.push(new DeviceTable(table, file, space, puts)));
            }
            describe();
        } catch (BackendException | RuntimeException | Error e) {
            files.stream().filter(file -> file != null).forEach(resources::push);
            resources.closeAfter(e);
            throw e;
        }
    }

    private static VectorFile open(EmbeddingTable table, BufferAllocator allocator, Workers workers)
            throws BackendException {
        try {
            return VectorFile.open(table, allocator, workers);
        } catch (IOException e) {
            throw new BackendException(e.getMessage(), e);
        }
    }

    List<DeviceTable> all() {
        return tables;
    }

    TableGauges gauges() {
        return gauges;
    }

    BatchReads reads() {
        return batchReads;
    }

    /** Of ids in all tables. */
    IdHash hash() {
        return hash;
    }

    /** Where the structs are on the device that describe them. */
    long address() {
        return described.address();
    }

    /** Grows whenever a cache has other vectors than before. */
    long cacheVersion() {
        return cacheVersion;
    }

    /** Whether the next batch is one before which caches are changed. */
    boolean isAdmissionDue() {
        return batches >= pace.epochBatches();
    }

    /** Counts a batch. */
    void countBatch() {
        batches++;
    }

    /** Changes what is in caches, while the device does nothing for a batch. Waits. */
    void admit() throws BackendException {
        batches = 0;
        for (int i = 0; i < tables.size(); i++) {
            if (tables.get(i).cache().isChosen()) {
                // Also if it fails half way.
                cacheVersion++;
                int swaps = admission.run(tables.get(i));
                gauges.add(i, TableGauge.EVICTIONS, swaps);
            }
        }
    }

    /** Applies a batch of changes, while no batch is under way, and waits until all is done. */
    void apply(ColumnBatch changes) throws BackendException {
        NumberView table = changes.numbers(EmbeddingTablesPlan.TABLE_COLUMN);
        NumberView id = changes.numbers(EmbeddingTablesPlan.ID_COLUMN);
        TextView vector = changes.text(EmbeddingTablesPlan.VECTOR_COLUMN);
        for (int row = 0; row < changes.rows(); row++) {
            DeviceTable changed = tables.get(table.intAt(row));
            if (changes.vector(EmbeddingTablesPlan.VECTOR_COLUMN).isNull(row)) {
                changed.remove(id.wordAt(row));
            } else {
                changed.put(id.wordAt(row), vector.dataAddress() + vector.start(row));
            }
        }
        describe();
    }

    private void describe() throws BackendException {
        boolean isMoved = false;
        for (int i = 0; i < tables.size(); i++) {
            DeviceTable table = tables.get(i);
            isMoved |= table.flush();
            gauges.set(i, TableGauge.VECTORS, table.vectors());
            gauges.set(i, TableGauge.HOST_BYTES, table.hostBytes());
        }
        for (int i = 0; isMoved && i < tables.size(); i++) {
            long offset = (long) LookupAbi.LOOKUP_TABLE_BYTES * i;
            tables.get(i).describe(puts.put(address() + offset, LookupAbi.LOOKUP_TABLE_BYTES));
        }
        puts.flush();
    }

    @Override
    public void close() {
        resources.close();
    }
}
