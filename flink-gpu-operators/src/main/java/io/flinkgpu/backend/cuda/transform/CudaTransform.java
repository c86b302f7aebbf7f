package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaCheck;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.cuda.device.SlotPool;
import io.flinkgpu.backend.cuda.device.UploadedBytes;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A program on the device, and the slots of the batches under way. Columns between its passes stay on
 * the device. Any number of batches may be under way.
 */
public final class CudaTransform implements CompiledProgram<TransformedBatch> {

    private final BufferAllocator allocator;
    private final NumberedPasses plan;
    private final TransformSizes sizes;
    private final CloseStack resources = new CloseStack();
    private final SlotPool<TransformSlot> slots;

    public CudaTransform(SharedDevice device, CudaMemory memory, NumberedPasses plan)
            throws BackendException {
        allocator = memory.columns();
        this.plan = plan;
        sizes = new TransformSizes(plan);
        long program = resources.push(new UploadedBytes(memory, plan.program().bytes())).address();
        slots =
                resources.push(
                        new SlotPool<>(
                                device::makeCurrent,
                                () -> new TransformSlot(device, memory, plan, sizes, program)));
    }

    @Override
    public Submission<TransformedBatch> submit(ColumnBatch batch) throws BackendException {
        if (batch.rows() == 0) {
            int separatorBytes = batch.separatorBytes();
            return () -> noRows(separatorBytes);
        }
        TransformInput input = TransformInput.of(plan.batchTypes(), batch);
        TransformSlot slot = slots.start(idle -> idle.start(input));
        return () -> slots.finish(slot, (started, columns) -> finish(started, input, columns));
    }

    private TransformedBatch finish(TransformSlot slot, TransformInput input, CloseStack columns)
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

    private TransformedBatch noRows(int separatorBytes) throws BackendException {
        try (TransformOutput output = new TransformOutput(allocator, 0, separatorBytes)) {
            for (int column : plan.results()) {
                ArrowBuf offsets = output.add(plan.types().get(column), 0, 0).offsets();
                if (offsets != null) {
                    offsets.setInt(0, 0);
                }
            }
            return output.toBatch(0);
        } catch (OutOfMemoryException e) {
            throw CudaCheck.outOfPinnedMemory(e);
        }
    }

    /** Waits for batches that nobody awaited, then frees everything. */
    @Override
    public void close() {
        resources.close();
    }
}
