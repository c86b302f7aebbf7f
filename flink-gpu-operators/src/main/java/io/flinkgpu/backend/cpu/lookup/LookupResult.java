package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.backend.plan.LookupColumns;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/** The columns of a result while they are written. Closing it drops what was not built. */
final class LookupResult implements AutoCloseable {

    private final BufferAllocator allocator;
    private final Bags bags;
    private final List<ArrowBuf> buffers = new ArrayList<>();
    private final ArrowBuf values;
    private final ArrowBuf valueOffsets;
    private final ArrowBuf ends;
    private final ArrowBuf endOffsets;

    /** Bags that have all their values, and rows whose bags do. */
    private int bag;

    private int row;

    /** Values of rows before the present one. */
    private int rowStart;

    /**
     * @param room for so many values
     * @throws OutOfMemoryException if there is no memory for them, or more than a column may have
     */
    LookupResult(BufferAllocator allocator, Bags bags, long room) {
        this.allocator = allocator;
        this.bags = bags;
        if (room > Integer.MAX_VALUE) {
            throw new OutOfMemoryException(
                    "a batch has at most 2147483647 values of vectors: values=" + room);
        }
        try {
            values = buffer(Float.BYTES * Math.max(1, room));
            valueOffsets = buffer(Integer.BYTES * (bags.rows + 1L));
            ends = buffer((long) Integer.BYTES * Math.max(1, bags.count));
            endOffsets = buffer(Integer.BYTES * (bags.rows + 1L));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        valueOffsets.setInt(0, 0);
        endOffsets.setInt(0, 0);
        endEmptyRows(0);
    }

    private ArrowBuf buffer(long bytes) {
        ArrowBuf buffer = allocator.buffer(bytes);
        buffers.add(buffer);
        return buffer;
    }

    /** Where the first value goes. */
    long address() {
        return values.memoryAddress();
    }

    /** All values of the next bag are there. */
    void endBag(int valueEnd) {
        MemoryUtil.putInt(ends.memoryAddress() + (long) Integer.BYTES * bag, valueEnd - rowStart);
        bag++;
        endEmptyRows(valueEnd);
    }

    /** Ends the row whose last bag ended, and those after it that have none. */
    private void endEmptyRows(int valueEnd) {
        while (row < bags.rows && bags.rowEnd[row] == bag) {
            row++;
            long offset = (long) Integer.BYTES * row;
            MemoryUtil.putInt(valueOffsets.memoryAddress() + offset, valueEnd);
            MemoryUtil.putInt(endOffsets.memoryAddress() + offset, bag);
            rowStart = valueEnd;
        }
    }

    /** The columns, once all bags ended. */
    ColumnBatch build() {
        int valueCount = valueOffsets.getInt((long) Integer.BYTES * bags.rows);
        return LookupColumns.of(
                allocator,
                bags.rows,
                List.of(valueOffsets, values),
                valueCount,
                List.of(endOffsets, ends),
                bags.count);
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
    }
}
