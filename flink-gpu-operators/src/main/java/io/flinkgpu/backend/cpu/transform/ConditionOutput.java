package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

/** A column of conditions, a bit each, while it is written; a null is 0. */
final class ConditionOutput implements OutputColumn {

    private final byte[] from;
    private final ValidityBits validity;
    private final ArrowBuf data;
    private int done;

    ConditionOutput(byte[] from, BufferAllocator allocator, int batchRows) {
        this.from = from;
        validity = new ValidityBits(allocator, batchRows);
        try {
            data = allocator.buffer(Math.max(1, ValidityBits.bytes(batchRows)));
        } catch (RuntimeException e) {
            validity.close();
            throw e;
        }
        data.setZero(0, data.capacity());
    }

    @Override
    public void append(int rows) {
        for (int row = 0; row < rows; row++) {
            int at = done + row;
            if (from[row] == Conditions.NULL) {
                validity.clear(at);
            } else if (from[row] == Conditions.TRUE) {
                long address = data.memoryAddress() + (at >> 3);
                MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) | 1 << (at & 7)));
            }
        }
        done += rows;
    }

    @Override
    public FieldVector finish() {
        return validity.column(ColumnType.BOOLEAN, data);
    }

    @Override
    public void close() {
        validity.close();
        data.close();
    }
}
