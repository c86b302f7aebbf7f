package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.dense.DenseWeights;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.device.UploadedBytes;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.LookupColumns;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Looks bags of ids up in {@link CudaTables}; a model may read what is found. */
@Internal
public final class CudaEmbeddings extends DeviceProgram<LookupInput, LookupSlot, TransformedBatch> {

    private final CudaTables tables;
    private final ScorePlan scores;

    private CudaEmbeddings(
            SharedDevice device,
            CudaMemory memory,
            CudaTables tables,
            DeviceModel model,
            CloseStack resources) {
        super(device, memory, () -> LookupSlot.of(device, memory, tables, model));
        this.tables = tables;
        scores = model == null ? null : model.plan();
        closeWithProgram(resources::close);
    }

    /** Loads the tables. */
    public static CudaEmbeddings of(SharedDevice device, CudaMemory memory, EmbeddingPlan plan)
            throws BackendException {
        CloseStack resources = new CloseStack();
        CudaTables tables = resources.push(new CudaTables(device, memory, plan.tables()));
        return new CudaEmbeddings(device, memory, tables, null, resources);
    }

    /** The same with a model that reads what is looked up. */
    public static CudaEmbeddings of(SharedDevice device, CudaMemory memory, ScorePlan plan)
            throws BackendException {
        CloseStack resources = new CloseStack();
        try {
            DenseWeights weights =
                    new DenseWeights(
                            plan.scoring().model(), device.properties().computeCapability());
            UploadedBytes uploaded = resources.push(new UploadedBytes(memory, weights.toBytes()));
            CudaTables tables =
                    resources.push(new CudaTables(device, memory, plan.lookup().tables()));
            DeviceModel model = new DeviceModel(plan, weights, uploaded.address());
            return new CudaEmbeddings(device, memory, tables, model, resources);
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
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
        return batch.rows() == 0 ? null : LookupInput.of(batch, scores);
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
