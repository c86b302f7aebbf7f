package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

import java.util.List;

/** Looks texts up in a {@link CudaTable}. */
@Internal
public final class CudaLookup extends DeviceProgram<TableInput, TableSlot, TransformedBatch> {

    private final CudaTable table;

    public CudaLookup(SharedDevice device, CudaMemory memory, TableArgs args)
            throws BackendException {
        super(device, memory, () -> new TableSlot(device, memory, args));
        table = closeWithProgram(new CudaTable(device, memory, args));
    }

    @Override
    public List<Resident> residents() {
        return List.of(table);
    }

    @Override
    protected TableInput read(ColumnBatch batch) {
        return batch.rows() == 0 ? null : TableInput.lookup(batch);
    }

    @Override
    protected void start(TableSlot slot, TableInput input) throws BackendException {
        slot.find(input, table.address());
    }

    @Override
    protected TransformedBatch finish(TableSlot slot, TableInput input, CloseStack columns)
            throws BackendException {
        int rows = input.count();
        ArrowBuf bits = columns.push(allocator.buffer(4 * ((rows + 31L) / 32)));
        ArrowBuf numbers = columns.push(allocator.buffer(8 * (rows + 1L)));
        slot.copyOut(bits, numbers);
        return result(
                allocator, rows, input.texts().separatorBytes(), bits, numbers, slot.kernelNanos());
    }

    @Override
    protected TransformedBatch nothing(ColumnBatch batch) {
        ArrowBuf empty = allocator.getEmpty();
        return result(allocator, 0, batch.separatorBytes(), empty, empty, 0);
    }

    /** A column of buffers, which stay the caller's. */
    public static TransformedBatch result(
            BufferAllocator allocator,
            int rows,
            int separatorBytes,
            ArrowBuf bits,
            ArrowBuf numbers,
            long nanos) {
        int nulls = rows == 0 ? 0 : BitVectorHelper.getNullCount(bits, rows);
        FieldVector column =
                Vectors.of(
                        ColumnType.LONG,
                        ColumnType.LONG.toString(),
                        allocator,
                        rows,
                        nulls,
                        List.of(bits, numbers));
        return new TransformedBatch(Vectors.batch(List.of(column), rows, separatorBytes), nanos);
    }
}
