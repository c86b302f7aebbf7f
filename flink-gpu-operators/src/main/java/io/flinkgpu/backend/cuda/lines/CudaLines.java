package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaCheck;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.device.SlotPool;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/** Reads batches of lines and adds them to their groups. Any number of batches may be under way. */
public final class CudaLines implements CompiledProgram<LineGroups> {

    private final BufferAllocator allocator;
    private final LinesArgs args;
    private final SlotPool<LinesSlot> slots;

    /** How many groups the last batch had: the next one will have about as many. */
    private int lastGroups;

    public CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args) {
        allocator = memory.columns();
        this.args = args;
        LinesShape shape = LinesShape.of(device.properties(), args.fields());
        slots =
                new SlotPool<>(
                        device::makeCurrent, () -> new LinesSlot(device, memory, args, shape));
    }

    @Override
    public Submission<LineGroups> submit(ColumnBatch batch) throws BackendException {
        LinesInput input = LinesInput.of(batch);
        if (input.dataBytes() == 0) {
            return this::noLines;
        }
        LinesTable table = LinesTable.forGroups(lastGroups);
        LinesSlot slot = slots.start(idle -> idle.start(input, table));
        return () -> slots.finish(slot, this::finish);
    }

    private LineGroups finish(LinesSlot slot, CloseStack columns) throws BackendException {
        LinesHeader header = slot.awaitHeader();
        long copyNanos = slot.copyNanos();
        long nanos = slot.kernelNanos();
        while (header.isFull()) {
            slot.again(header);
            header = slot.awaitHeader();
            nanos += slot.kernelNanos();
        }
        lastGroups = header.groups();
        LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), header));
        nanos += slot.copyOut(header, output);
        return output.toGroups(nanos, copyNanos);
    }

    private LineGroups noLines() throws BackendException {
        LinesHeader header = LinesHeader.none(args.plan());
        try (LinesOutput output = new LinesOutput(allocator, args.plan(), header)) {
            output.copyResult((host, offset, bytes) -> {});
            return output.toGroups(0, 0);
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    @Override
    public void close() {
        slots.close();
    }
}
