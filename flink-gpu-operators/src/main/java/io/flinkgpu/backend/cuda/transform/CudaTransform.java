package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.device.UploadedBytes;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;

/** A plan's passes, one after the other; columns between them stay on the device. */
@Internal
public final class CudaTransform
        extends DeviceProgram<TransformInput, TransformSlot, TransformedBatch> {

    private final NumberedPasses plan;
    private final TransformSizes sizes;

    public CudaTransform(SharedDevice device, CudaMemory memory, NumberedPasses plan)
            throws BackendException {
        this(
                device,
                memory,
                plan,
                new TransformSizes(plan),
                new UploadedBytes(memory, plan.program().bytes()));
    }

    private CudaTransform(
            SharedDevice device,
            CudaMemory memory,
            NumberedPasses plan,
            TransformSizes sizes,
            UploadedBytes program) {
        super(
                device,
                memory,
                () -> new TransformSlot(device, memory, plan, sizes, program.address()));
        closeWithProgram(program);
        this.plan = plan;
        this.sizes = sizes;
    }

    @Override
    protected TransformInput read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : TransformInput.of(plan.batchTypes(), batch);
    }

    @Override
    protected void start(TransformSlot slot, TransformInput input) throws BackendException {
        slot.start(input);
    }

    @Override
    protected TransformedBatch finish(TransformSlot slot, TransformInput input, CloseStack columns)
            throws BackendException {
        TransformHeader header = slot.awaitHeader();
        long nanos = slot.kernelNanos();
        while (header.failedPass() != 0) {
            header = slot.runAgain(header);
            nanos += slot.kernelNanos();
        }
        sizes.note(header, input.rows());
        TransformOutput output =
                columns.push(new TransformOutput(allocator, input.rows(), input.separatorBytes()));
        for (int column : plan.results()) {
            slot.copyOut(column, header, output);
        }
        slot.drain();
        return output.toBatch(nanos);
    }

    @Override
    protected TransformedBatch nothing(ColumnBatch batch) throws BackendException {
        try (TransformOutput output = new TransformOutput(allocator, 0, batch.separatorBytes())) {
            for (int column : plan.results()) {
                ArrowBuf offsets = output.add(plan.types().get(column), 0, 0).offsets();
                if (offsets != null) {
                    offsets.setInt(0, 0);
                }
            }
            return output.toBatch(0);
        }
    }
}
