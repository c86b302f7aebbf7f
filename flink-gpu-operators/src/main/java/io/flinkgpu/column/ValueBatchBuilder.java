package io.flinkgpu.column;

import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.expression.ColumnType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Fills a batch with a key, a slice and numbers: the columns that an aggregation reads, in that order.
 * Starts the next batch after {@link #build()}. Takes memory only while a batch is open: room for all
 * the rows it can have, at the first. Not thread-safe.
 */
public final class ValueBatchBuilder implements AutoCloseable {

    private static final int KEY_BYTES = Integer.BYTES;
    private static final int WORD_BYTES = Long.BYTES;

    private final BufferAllocator allocator;
    private final int maxRows;
    private final FixedBuffers[] values;

    private ArrowBuf allValid;
    private ArrowBuf keys;
    private ArrowBuf slices;
    private int rows;

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes bytes of all columns in a batch; a batch has at least one row
     */
    public ValueBatchBuilder(
            BufferAllocator allocator, int maxRows, int maxBytes, List<ValueType> types) {
        this.allocator = allocator;
        this.maxRows = rowCapacity(maxRows, maxBytes, types.size());
        this.values =
                types.stream()
                        .map(type -> type.isFloating() ? ColumnType.DOUBLE : ColumnType.LONG)
                        .map(FixedBuffers::new)
                        .toArray(FixedBuffers[]::new);
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes, List<ValueType> types) {
        long capacity = rowCapacity(maxRows, maxBytes, types.size());
        return CommonUtil.nextPowerOfTwo(KEY_BYTES * capacity)
                + (1L + types.size()) * CommonUtil.nextPowerOfTwo(WORD_BYTES * capacity)
                + (1L + types.size()) * CommonUtil.nextPowerOfTwo(Bits.bytes(capacity));
    }

    public int rows() {
        return rows;
    }

    /** Bytes of the rows in the open batch. */
    public int bytes() {
        return (int) columnBytes(rows, values.length);
    }

    /** Whether the batch has no room for another row. */
    public boolean isFull() {
        return rows == maxRows;
    }

    /**
     * Appends a row to a batch that is not full.
     *
     * @param keyId the key column's value
     * @throws org.apache.arrow.memory.OutOfMemoryException if this row opens a batch and there is no
     *     memory for it; the builder stays as it was
     * @throws IllegalStateException if the batch is full
     */
    public void append(int keyId, long slice, RowValues row) {
        if (rows == 0) {
            allocate();
        } else if (isFull()) {
            throw new IllegalStateException(
                    "a full batch takes no more rows: rows=" + rows + "; build it first");
        }
        MemoryUtil.putInt(keys.memoryAddress() + (long) KEY_BYTES * rows, keyId);
        MemoryUtil.putLong(slices.memoryAddress() + (long) WORD_BYTES * rows, slice);
        for (int i = 0; i < values.length; i++) {
            if (row.isNull(i)) {
                values[i].putNull(rows);
            } else {
                values[i].put(rows, row.word(i));
            }
        }
        rows++;
    }

    /**
     * Seals the batch. The builder is empty afterwards.
     *
     * @return the batch, the caller's to close
     * @throws IllegalStateException if it has no rows
     */
    public ColumnBatch build() {
        if (rows == 0) {
            throw new IllegalStateException("a batch needs a row: rows=0");
        }
        List<FieldVector> columns = new ArrayList<>();
        columns.add(loaded(new IntVector("key", allocator), keys));
        columns.add(loaded(new BigIntVector("slice", allocator), slices));
        for (int i = 0; i < values.length; i++) {
            columns.add(values[i].vector("value" + i, allocator, rows));
        }
        ColumnBatch batch = new ColumnBatch(new VectorSchemaRoot(columns), 0);
        close();
        return batch;
    }

    /** Drops the open batch. The builder can be used again. */
    @Override
    public void close() {
        Bits.closeAll(allValid, keys, slices);
        for (FixedBuffers buffers : values) {
            buffers.close();
        }
        allValid = null;
        keys = null;
        slices = null;
        rows = 0;
    }

    private void allocate() {
        try {
            allValid = Bits.allSet(allocator, maxRows);
            keys = allocator.buffer((long) KEY_BYTES * maxRows);
            slices = allocator.buffer((long) WORD_BYTES * maxRows);
            for (FixedBuffers buffers : values) {
                buffers.allocate(allocator, maxRows);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private FieldVector loaded(BaseFixedWidthVector vector, ArrowBuf numbers) {
        vector.loadFieldBuffers(new ArrowFieldNode(rows, 0), List.of(allValid, numbers));
        return vector;
    }

    /** The most rows whose columns have at most {@code maxBytes}; at least one. */
    private static int rowCapacity(int maxRows, int maxBytes, int values) {
        int capacity = (int) Math.min(maxRows, 8L * maxBytes / columnBytes(8, values));
        // The estimate splits a bitmap's last byte.
        while (capacity > 1 && columnBytes(capacity, values) > maxBytes) {
            capacity--;
        }
        return Math.max(1, capacity);
    }

    private static long columnBytes(long rows, int values) {
        return rows * (KEY_BYTES + WORD_BYTES) + values * (WORD_BYTES * rows + Bits.bytes(rows));
    }
}
