package io.flinkgpu.backend.cpu.table;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.LookupPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** Looks texts up in a {@link CpuTable}. */
public final class CpuLookup implements CompiledProgram<TransformedBatch> {

    private final BufferAllocator allocator;
    private final CpuTable table;

    public CpuLookup(BufferAllocator allocator, LookupPlan plan) throws BackendException {
        this.allocator = allocator;
        this.table = new CpuTable(plan.table());
    }

    @Override
    public List<Resident> residents() {
        return List.of(table);
    }

    /** Looks up at once: later changes are not for this batch. */
    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) {
        long started = System.nanoTime();
        FieldVector texts = batch.vector(0);
        TextView text = batch.text(0);
        Long[] found = new Long[batch.rows()];
        for (int row = 0; row < found.length; row++) {
            found[row] = texts.isNull(row) ? null : table.find(text.copyRow(row));
        }
        int separatorBytes = batch.separatorBytes();
        long nanos = System.nanoTime() - started;
        return () -> new TransformedBatch(columns(found, separatorBytes), nanos);
    }

    private ColumnBatch columns(Long[] found, int separatorBytes) {
        BigIntVector vector = new BigIntVector(ColumnType.LONG.toString(), allocator);
        try {
            vector.allocateNew(found.length);
            for (int row = 0; row < found.length; row++) {
                if (found[row] == null) {
                    vector.setNull(row);
                } else {
                    vector.set(row, found[row]);
                }
            }
            vector.setValueCount(found.length);
            return Vectors.batch(List.of(vector), found.length, separatorBytes);
        } catch (RuntimeException e) {
            vector.close();
            throw e;
        }
    }

    @Override
    public void close() {}
}
