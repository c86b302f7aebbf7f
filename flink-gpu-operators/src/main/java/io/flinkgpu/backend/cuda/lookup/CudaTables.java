package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.Completion;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayList;
import java.util.List;

/** The tables of a lookup on the device. Closed by its program. */
final class CudaTables implements Resident, AutoCloseable {

    private final SharedDevice device;
    private final EmbeddingTablesPlan plan;
    private final CloseStack resources = new CloseStack();
    private final LookupSlot slot;
    private final DeviceTables tables;

    /** When each slot's batch has read the tables. */
    private final List<Completion> batches = new ArrayList<>();

    private long version;

    CudaTables(SharedDevice device, CudaMemory memory, EmbeddingTablesPlan plan)
            throws BackendException {
        this.device = device;
        this.plan = plan;
        try {
            slot = resources.push(new LookupSlot(device, memory));
            tables =
                    resources.push(
                            new DeviceTables(
                                    plan,
                                    slot,
                                    new CudaLookupMemory(plan.name(), memory.device()),
                                    memory.columns(),
                                    LookupPace.STANDARD));
            // What is on its way has to be there before its memory goes.
            resources.push(slot::drain);
            slot.giveBackLent();
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    DeviceTables tables() {
        return tables;
    }

    /** Caches have to wait for batches from here on that complete like this. */
    void readBy(Completion batch) {
        batches.add(batch);
    }

    /** Changes what is in caches, if it is time to, once all batches have read them. */
    void beforeBatch() throws BackendException {
        if (tables.isAdmissionDue()) {
            for (Completion batch : batches) {
                slot.stream.waitFor(batch);
            }
            try {
                tables.admit();
            } finally {
                endChanges();
            }
        }
    }

    /** Also after what failed half way: the device may still read what was enqueued. */
    private void endChanges() throws BackendException {
        slot.drain();
        slot.giveBackLent();
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        device.makeCurrent();
        try {
            tables.apply(changes);
        } finally {
            endChanges();
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
        resources.close();
    }
}
