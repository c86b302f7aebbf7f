package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

/** Reads batches of lines and adds them to their groups. */
@Internal
public final class CudaLines extends DeviceProgram<LinesInput, LinesSlot, LineGroups> {

    private final LinesArgs args;

    /** How many groups the last batch had: the next one will have about as many. */
    private int lastGroups;

    public CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args) {
        super(device, memory, () -> new LinesSlot(device, memory, args));
        this.args = args;
    }

    @Override
    protected LinesInput read(ColumnBatch batch) {
        return LinesInput.of(batch, LinesTable.forGroups(lastGroups));
    }

    @Override
    protected void start(LinesSlot slot, LinesInput input) throws BackendException {
        slot.start(input);
    }

    @Override
    protected LineGroups finish(LinesSlot slot, LinesInput input, CloseStack columns)
            throws BackendException {
        LinesHeader header = slot.awaitHeader();
        long copyNanos = slot.copyNanos();
        long nanos = slot.kernelNanos();
        while (header.isFull()) {
            slot.retryWithLargerTable(header);
            header = slot.awaitHeader();
            nanos += slot.kernelNanos();
        }
        lastGroups = header.groups();
        LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), header));
        nanos += slot.copyOut(header, output);
        return output.toGroups(nanos, copyNanos);
    }

    @Override
    protected LineGroups nothing(ColumnBatch batch) throws BackendException {
        LinesHeader header = LinesHeader.none(args.plan());
        try (LinesOutput output = new LinesOutput(allocator, args.plan(), header)) {
            output.copyResult((host, offset, bytes) -> {});
            return output.toGroups(0, 0);
        }
    }
}
