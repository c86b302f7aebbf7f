package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaCheck;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.device.SlotPool;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/** Groups batches and adds up their values. Any number of batches may be under way. */
public final class CudaAggregation implements CompiledProgram<GroupedBatch> {

    private final BufferAllocator allocator;
    private final AggregateArgs args;
    private final SlotPool<AggregateSlot> slots;

    public CudaAggregation(SharedDevice device, CudaMemory memory, AggregateArgs args) {
        allocator = memory.columns();
        this.args = args;
        slots = new SlotPool<>(device::makeCurrent, () -> new AggregateSlot(device, memory, args));
    }

    @Override
    public Submission<GroupedBatch> submit(ColumnBatch batch) throws BackendException {
        if (batch.rows() == 0) {
            return this::noGroups;
        }
        AggregateInput input = AggregateInput.of(args.plan(), batch);
        AggregateSlot slot = slots.start(idle -> idle.start(input));
        return () -> slots.finish(slot, this::finish);
    }

    private GroupedBatch finish(AggregateSlot slot, CloseStack columns) throws BackendException {
        AggregateHeader header = slot.awaitHeader();
        long nanos = slot.kernelNanos();
        ArrowBuf words = columns.push(allocator.buffer(args.resultBytes(header)));
        slot.addUp(header, words);
        GroupedBatch result = result(header, words, nanos + slot.kernelNanos());
        words.getReferenceManager().retain();
        return result;
    }

    private GroupedBatch noGroups() throws BackendException {
        AggregateHeader header = AggregateHeader.none(args.plan());
        try {
            return result(header, allocator.buffer(0), 0);
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    private GroupedBatch result(AggregateHeader header, ArrowBuf words, long nanos) {
        return new GroupedBatch(
                args.plan(), header.groups(), words, header.firstBins(), header.bins(), nanos);
    }

    @Override
    public void close() {
        slots.close();
    }
}
