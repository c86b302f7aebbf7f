package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Looks bags of ids up in {@link CpuTables}. */
@Internal
public final class CpuEmbeddings implements CompiledProgram<TransformedBatch> {

    private final CpuTables tables;
    private final BagLookup lookup;

    /** Loads the tables. */
    public CpuEmbeddings(BufferAllocator allocator, EmbeddingPlan plan) throws BackendException {
        tables = new CpuTables(plan.tables());
        lookup = new BagLookup(tables.tables(), tables.allocator(), allocator);
    }

    @Override
    public List<Resident> residents() {
        return List.of(tables);
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return tables.tables().gauges().all();
    }

    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) {
        return () -> {
            long started = System.nanoTime();
            ColumnBatch columns = find(batch);
            return new TransformedBatch(columns, System.nanoTime() - started);
        };
    }

    /** The values of bags, and where those of each end: the result's columns. */
    public ColumnBatch find(ColumnBatch batch) throws BackendException {
        try {
            return lookup.find(batch);
        } catch (IOException e) {
            throw new BackendException(
                    "vectors cannot be read from their files: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        tables.close();
    }
}
