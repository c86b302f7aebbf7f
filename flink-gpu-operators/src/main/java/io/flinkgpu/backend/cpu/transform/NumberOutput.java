package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;

/** A column of numbers while it is written; a null is 0. */
final class NumberOutput implements OutputColumn {

    private final ColumnType type;
    private final Numbers from;
    private final ValidityBits validity;
    private final ArrowBuf data;
    private int done;

    NumberOutput(ColumnType type, Numbers from, BufferAllocator allocator, int batchRows) {
        this.type = type;
        this.from = from;
        validity = new ValidityBits(allocator, batchRows);
        try {
            data = allocator.buffer(Math.max(1, (long) Long.BYTES * batchRows));
        } catch (RuntimeException e) {
            validity.close();
            throw e;
        }
    }

    @Override
    public void append(int rows) {
        long address = data.memoryAddress() + (long) Long.BYTES * done;
        for (int row = 0; row < rows; row++) {
            boolean isNull = from.nulls[row];
            MemoryUtil.putLong(address + (long) Long.BYTES * row, isNull ? 0 : from.words[row]);
            if (isNull) {
                validity.clear(done + row);
            }
        }
        done += rows;
    }

    @Override
    public FieldVector finish() {
        return validity.column(type, data);
    }

    @Override
    public void close() {
        validity.close();
        data.close();
    }
}
