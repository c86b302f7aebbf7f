package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.dense.CpuDense;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.ScoredRows;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.complex.ListVector;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Looks bags of ids up, and has a model score what was found. */
@Internal
public final class CpuScores implements CompiledProgram<TransformedBatch> {

    private final BufferAllocator allocator;
    private final ScorePlan plan;
    private final CpuEmbeddings lookup;
    private final CpuDense model;

    /** Loads the tables. */
    public CpuScores(BufferAllocator allocator, ScorePlan plan) throws BackendException {
        this.allocator = allocator;
        this.plan = plan;
        model = new CpuDense(plan.scoring().model());
        lookup = new CpuEmbeddings(allocator, plan.lookup());
    }

    @Override
    public List<Resident> residents() {
        return lookup.residents();
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return lookup.gauges();
    }

    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) {
        return () -> {
            long started = System.nanoTime();
            ColumnBatch columns = score(batch);
            return new TransformedBatch(columns, System.nanoTime() - started);
        };
    }

    private ColumnBatch score(ColumnBatch batch) throws BackendException {
        String defect = plan.defectOf(batch);
        if (defect != null) {
            throw new BackendException(defect);
        }
        int outputs = plan.scoring().model().outputWidth();
        try (ColumnBatch found = lookup.find(batch);
                ScoredRows scores = new ScoredRows(allocator, batch.rows(), outputs)) {
            for (int from = 0; from < batch.rows(); from += CpuDense.BLOCK_ROWS) {
                int rows = Math.min(CpuDense.BLOCK_ROWS, batch.rows() - from);
                for (int row = 0; row < rows; row++) {
                    int values = copy(found, EmbeddingPlan.VALUES_COLUMN, from + row, row, 0);
                    copy(batch, EmbeddingPlan.DENSE_COLUMN, from + row, row, values);
                }
                model.run(rows);
                for (int row = 0; row < rows; row++) {
                    scores.put(from + row, model.output(row));
                }
            }
            return scores.build();
        }
    }

    /** Copies the numbers of a row to a place in the model's input; how many these are. */
    private int copy(ColumnBatch from, int column, int row, int to, int at) {
        ListVector lists = (ListVector) from.vector(column);
        int start = lists.getElementStartIndex(row);
        int count = lists.getElementEndIndex(row) - start;
        long address =
                lists.getDataVector().getDataBuffer().memoryAddress() + (long) Float.BYTES * start;
        float[] input = model.input(to);
        for (int i = 0; i < count; i++) {
            input[at + i] =
                    Float.intBitsToFloat(MemoryUtil.getInt(address + (long) Float.BYTES * i));
        }
        return count;
    }

    @Override
    public void close() {
        lookup.close();
    }
}
