package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;

/** Groups batches and adds up their values. */
@Internal
public final class CudaAggregation
        extends DeviceProgram<AggregateInput, AggregateSlot, GroupedBatch> {

    private final AggregateArgs args;

    public CudaAggregation(SharedDevice device, CudaMemory memory, AggregateArgs args) {
        super(device, memory, () -> new AggregateSlot(device, memory, args));
        this.args = args;
    }

    @Override
    protected AggregateInput read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : AggregateInput.of(args.plan(), batch);
    }

    @Override
    protected void start(AggregateSlot slot, AggregateInput input) throws BackendException {
        slot.start(input);
    }

    @Override
    protected GroupedBatch finish(AggregateSlot slot, AggregateInput input, CloseStack columns)
            throws BackendException {
        AggregateHeader header = slot.awaitHeader();
        long nanos = slot.kernelNanos();
        ArrowBuf words = columns.push(allocator.buffer(args.resultBytes(header)));
        slot.addUp(header, words);
        checkFirstRows(header, words, input.rows());
        GroupedBatch result = result(header, words, nanos + slot.kernelNanos());
        words.getReferenceManager().retain();
        return result;
    }

    @Override
    protected GroupedBatch nothing(ColumnBatch batch) {
        return result(AggregateHeader.none(args.plan()), allocator.buffer(0), 0);
    }

    /** Keys are read in these rows. */
    private static void checkFirstRows(AggregateHeader header, ArrowBuf words, int rows)
            throws FatalDeviceException {
        long least = 0;
        for (int group = 0; group < header.groups(); group++) {
            long row = words.getLong(Long.BYTES * (long) group);
            ResultCheck.requireBetween("the first row of a group", least, rows - 1L, row);
            least = row + 1;
        }
    }

    private GroupedBatch result(AggregateHeader header, ArrowBuf words, long nanos) {
        return new GroupedBatch(
                args.plan(), header.groups(), words, header.firstBins(), header.bins(), nanos);
    }
}
