package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.NumberView;
import io.flinkgpu.column.TextView;
import io.flinkgpu.embeddings.EmbeddingTables;
import io.flinkgpu.embeddings.StoredTable;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;

/** The tables, on the host. */
final class CpuTables implements Resident, AutoCloseable {

    private final EmbeddingTablesPlan plan;
    private final BufferAllocator allocator = new RootAllocator();
    private final EmbeddingTables tables;
    private long version;

    CpuTables(EmbeddingTablesPlan plan) throws BackendException {
        this.plan = plan;
        try {
            tables =
                    new EmbeddingTables(plan.tables(), plan.hostBytes(), allocator, plan.scratch());
        } catch (IOException e) {
            allocator.close();
            throw new BackendException(e.getMessage(), e);
        } catch (RuntimeException e) {
            allocator.close();
            throw e;
        }
    }

    EmbeddingTables tables() {
        return tables;
    }

    /** Of what is kept besides batches. */
    BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        NumberView table = changes.numbers(EmbeddingTablesPlan.TABLE_COLUMN);
        NumberView id = changes.numbers(EmbeddingTablesPlan.ID_COLUMN);
        TextView vector = changes.text(EmbeddingTablesPlan.VECTOR_COLUMN);
        boolean[] changed = new boolean[tables.size()];
        try {
            for (int row = 0; row < changes.rows(); row++) {
                StoredTable stored = tables.table(table.intAt(row));
                if (changes.vector(EmbeddingTablesPlan.VECTOR_COLUMN).isNull(row)) {
                    stored.remove(id.wordAt(row));
                } else {
                    stored.put(id.wordAt(row), vector.dataAddress() + vector.start(row));
                }
                changed[table.intAt(row)] = true;
            }
        } catch (IOException e) {
            throw new BackendException(
                    "a changed vector cannot be written: scratch="
                            + plan.scratch()
                            + ", "
                            + e.getMessage()
                            + "; make room there, or raise hostBytes",
                    e);
        }
        for (int i = 0; i < changed.length; i++) {
            if (changed[i]) {
                tables.changed(i);
            }
        }
        version++;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long bytes() {
        return plan.bytes();
    }

    @Override
    public void close() {
        tables.close();
        allocator.close();
    }
}
