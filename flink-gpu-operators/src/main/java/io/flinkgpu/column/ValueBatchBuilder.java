package io.flinkgpu.column;

import io.flinkgpu.api.ValueType;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.CommonUtil;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

import java.util.ArrayList;
import java.util.Arrays;
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
    private final List<ValueType> types;
    private final int maxRows;
    private final ArrowBuf[] data;
    private final ArrowBuf[] validity;
    private final int[] nulls;

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
        this.types = List.copyOf(types);
        this.maxRows = rowCapacity(maxRows, maxBytes, types.size());
        this.data = new ArrowBuf[types.size()];
        this.validity = new ArrowBuf[types.size()];
        this.nulls = new int[types.size()];
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes, List<ValueType> types) {
        long capacity = rowCapacity(maxRows, maxBytes, types.size());
        return CommonUtil.nextPowerOfTwo(KEY_BYTES * capacity)
                + (1L + types.size()) * CommonUtil.nextPowerOfTwo(WORD_BYTES * capacity)
                + (1L + types.size()) * CommonUtil.nextPowerOfTwo(bitBytes(capacity));
    }

    public int rows() {
        return rows;
    }

    /** Bytes of the rows in the open batch. */
    public int bytes() {
        return (int) columnBytes(rows, types.size());
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
    public void append(int keyId, long slice, RowValues values) {
        if (rows == 0) {
            allocate();
        } else if (isFull()) {
            throw new IllegalStateException(
                    "a full batch takes no more rows: rows=" + rows + "; build it first");
        }
        MemoryUtil.putInt(keys.memoryAddress() + (long) KEY_BYTES * rows, keyId);
        MemoryUtil.putLong(slices.memoryAddress() + (long) WORD_BYTES * rows, slice);
        for (int i = 0; i < data.length; i++) {
            long address = data[i].memoryAddress() + (long) WORD_BYTES * rows;
            if (values.isNull(i)) {
                MemoryUtil.putLong(address, 0);
                clearBit(validity[i].memoryAddress());
                nulls[i]++;
            } else {
                MemoryUtil.putLong(address, values.word(i));
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
        columns.add(loaded(new IntVector("key", allocator), 0, allValid, keys));
        columns.add(loaded(new BigIntVector("slice", allocator), 0, allValid, slices));
        for (int i = 0; i < data.length; i++) {
            String name = "value" + i;
            BaseFixedWidthVector vector =
                    types.get(i).isFloating()
                            ? new Float8Vector(name, allocator)
                            : new BigIntVector(name, allocator);
            columns.add(loaded(vector, nulls[i], validity[i], data[i]));
        }
        ColumnBatch batch = new ColumnBatch(new VectorSchemaRoot(columns), 0);
        close();
        return batch;
    }

    /** Drops the open batch. The builder can be used again. */
    @Override
    public void close() {
        closeAll(allValid, keys, slices);
        closeAll(data);
        closeAll(validity);
        allValid = null;
        keys = null;
        slices = null;
        Arrays.fill(data, null);
        Arrays.fill(validity, null);
        Arrays.fill(nulls, 0);
        rows = 0;
    }

    private void allocate() {
        try {
            allValid = validBits();
            keys = allocator.buffer((long) KEY_BYTES * maxRows);
            slices = allocator.buffer((long) WORD_BYTES * maxRows);
            for (int i = 0; i < data.length; i++) {
                validity[i] = validBits();
                data[i] = allocator.buffer((long) WORD_BYTES * maxRows);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private ArrowBuf validBits() {
        ArrowBuf bits = allocator.buffer(bitBytes(maxRows));
        bits.setOne(0, bits.capacity());
        return bits;
    }

    private void clearBit(long bits) {
        long address = bits + (rows >> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (rows & 7))));
    }

    private FieldVector loaded(
            BaseFixedWidthVector vector, int nullCount, ArrowBuf bits, ArrowBuf numbers) {
        vector.loadFieldBuffers(new ArrowFieldNode(rows, nullCount), List.of(bits, numbers));
        return vector;
    }

    private static void closeAll(ArrowBuf... buffers) {
        for (ArrowBuf buffer : buffers) {
            if (buffer != null) {
                buffer.close();
            }
        }
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
        return rows * (KEY_BYTES + WORD_BYTES) + values * (WORD_BYTES * rows + bitBytes(rows));
    }

    private static long bitBytes(long rows) {
        return (rows + 7) >> 3;
    }
}
