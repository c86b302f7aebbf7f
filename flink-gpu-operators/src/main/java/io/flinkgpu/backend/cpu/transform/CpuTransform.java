package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;
import io.flinkgpu.program.Pass;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.List;

/** Runs passes over a batch on the calling thread. */
@Internal
public final class CpuTransform implements CompiledProgram<TransformedBatch> {

    private final PassPlan plan;
    private final List<CpuPass> passes = new ArrayList<>();

    public CpuTransform(BufferAllocator allocator, PassPlan plan) {
        this.plan = plan;
        try {
            for (Pass pass : plan.passes()) {
                passes.add(new CpuPass(pass, allocator));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The work is done in {@link Submission#await()}: there is no other thread to start it on. */
    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) {
        return () -> transform(batch);
    }

    private TransformedBatch transform(ColumnBatch batch) {
        long startNanos = System.nanoTime();
        List<FieldVector> written = new ArrayList<>();
        try {
            run(batch, written);
            List<FieldVector> results = new ArrayList<>();
            for (int result : plan.results()) {
                results.add(written.get(result - plan.types().size()));
            }
            ColumnBatch columns = Vectors.batch(results, batch.rows(), batch.separatorBytes());
            written.removeAll(results);
            return new TransformedBatch(columns, System.nanoTime() - startNanos);
        } finally {
            Vectors.close(written);
        }
    }

    private void run(ColumnBatch batch, List<FieldVector> written) {
        List<InputColumn> columns = new ArrayList<>();
        for (int i = 0; i < plan.types().size(); i++) {
            columns.add(InputColumn.of(batch.vector(i), batch.separatorBytes()));
        }
        for (CpuPass pass : passes) {
            InputColumn[] all = columns.toArray(new InputColumn[0]);
            for (FieldVector output : pass.run(all, batch.rows(), batch.separatorBytes())) {
                written.add(output);
                columns.add(InputColumn.of(output, batch.separatorBytes()));
            }
        }
    }

    @Override
    public void close() {
        passes.forEach(CpuPass::close);
    }
}
