package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Looks bags of ids up in {@link CudaTables}. */
@Internal
public final class CudaEmbeddings extends DeviceProgram<LookupInput, LookupSlot, TransformedBatch> {

    private final CudaTables tables;

    private CudaEmbeddings(SharedDevice device, CudaMemory memory, CudaTables tables) {
        super(device, memory, () -> LookupSlot.of(device, memory, tables));
        this.tables = closeWithProgram(tables);
    }

    /** Loads the tables. */
    public static CudaEmbeddings of(SharedDevice device, CudaMemory memory, EmbeddingPlan plan)
            throws BackendException {
        return new CudaEmbeddings(device, memory, new CudaTables(device, memory, plan.tables()));
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
    protected LookupInput read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : LookupInput.of(batch);
    }

    @Override
    protected void start(LookupSlot slot, LookupInput input) throws BackendException {
        slot.lookUp(input);
    }

    @Override
    protected boolean isDone(LookupSlot slot) throws BackendException {
        return slot.copied.isPast();
    }

    @Override
    protected TransformedBatch finish(LookupSlot slot, LookupInput input, CloseStack columns)
            throws BackendException {
        return slot.found(columns);
    }

    @Override
    protected TransformedBatch nothing(ColumnBatch batch) {
        try (ArrowBuf zero = allocator.buffer(Integer.BYTES)) {
            zero.setInt(0, 0);
            ArrowBuf none = allocator.getEmpty();
            List<ArrowBuf> lists = List.of(zero, none);
            return new TransformedBatch(LookupColumns.of(allocator, 0, lists, 0, lists, 0), 0);
        }
    }
}
