package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.Completion;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.CudaStream;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;

/**
 * A corpus on the device. Changes wait for the searches before them there, and searches for the changes,
 * so that the host need not wait for either. Closed by its program.
 */
final class CudaCorpus implements Resident, AutoCloseable {

    private final SharedDevice device;
    private final CorpusPlan plan;
    private final CloseStack resources = new CloseStack();
    private final SearchSlot slot;
    private final DeviceCorpus tiles;

    private long version;

    CudaCorpus(SharedDevice device, CudaMemory memory, CorpusPlan plan) throws BackendException {
        this.device = device;
        this.plan = plan;
        try {
            long address =
                    resources.push(memory.device().keep(plan.name(), plan.bytes())).address();
            CorpusSpace space = new CorpusSpace(address, plan.bytes());
            slot = resources.push(new SearchSlot(device, memory));
            tiles =
                    resources.push(
                            new DeviceCorpus(
                                    plan,
                                    new Corpus(Resident.BATCHES_BESIDE),
                                    slot,
                                    space,
                                    memory.columns()));
            // What is on its way has to be there before its memory goes.
            resources.push(slot::drain);
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** Where searches find the documents. */
    DeviceCorpus tiles() {
        return tiles;
    }

    /** Changes have to wait for searches from here on that complete like this. */
    void searchedBy(Completion search) {
        slot.searchedBy(search);
    }

    /** Has what a stream gets from here on see all changes. */
    void ready(CudaStream search) throws BackendException {
        tiles.ready();
        slot.copied.record();
        search.waitFor(slot.copied);
    }

    @Override
    public boolean changesBesideBatches() {
        return true;
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        device.makeCurrent();
        tiles.apply(changes);
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
