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

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** Looks texts up in a {@link CpuTable}. */
@Internal
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

    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) {
        return () -> {
            long started = System.nanoTime();
            ColumnBatch columns = find(batch);
            return new TransformedBatch(columns, System.nanoTime() - started);
        };
    }

    private ColumnBatch find(ColumnBatch batch) {
        int rows = batch.rows();
        FieldVector texts = batch.vector(0);
        TextView text = batch.text(0);
        BigIntVector vector = new BigIntVector(ColumnType.LONG.toString(), allocator);
        try {
            vector.allocateNew(rows);
            for (int row = 0; row < rows; row++) {
                Long number = texts.isNull(row) ? null : table.find(text.copyRow(row));
                if (number == null) {
                    vector.setNull(row);
                } else {
                    vector.set(row, number);
                }
            }
            vector.setValueCount(rows);
            return Vectors.batch(List.of(vector), rows, batch.separatorBytes());
        } catch (RuntimeException e) {
            vector.close();
            throw e;
        }
    }

    @Override
    public void close() {}
}
