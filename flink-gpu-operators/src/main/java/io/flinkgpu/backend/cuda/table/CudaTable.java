package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.TablePlan;

/** A table on the device. Closed by its program. */
final class CudaTable extends TableChanges implements AutoCloseable {

    private final SharedDevice device;
    private final CloseStack resources = new CloseStack();
    private final TableSlot slot;
    private final long address;

    CudaTable(SharedDevice device, CudaMemory memory, TableArgs args) throws BackendException {
        super(args.plan(), memory.columns());
        this.device = device;
        try {
            TablePlan plan = args.plan();
            address = resources.push(memory.device().keep(plan.name(), plan.bytes())).address();
            slot = resources.push(new TableSlot(device, memory, args));
            slot.empty(address);
        } catch (BackendException | RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** Where it is on the device. */
    long address() {
        return address;
    }

    @Override
    protected String change(TableInput input, int round) throws BackendException {
        device.makeCurrent();
        return slot.change(input, address, round);
    }

    @Override
    public void close() {
        resources.close();
    }
}
