package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

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

/** Fills a batch with a key, a slice and numbers: the columns that an aggregation reads, in that order. */
@Internal
public final class ValueBatchBuilder extends ColumnBuilder {

    private static final int KEY_BYTES = Integer.BYTES;
    private static final int WORD_BYTES = Long.BYTES;

    private final BufferAllocator allocator;
    private final int capacity;
    private final FixedBuffers[] values;

    private ArrowBuf allValid;
    private ArrowBuf keys;
    private ArrowBuf slices;

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes bytes of all columns in a batch; a batch has at least one row
     */
    public ValueBatchBuilder(
            BufferAllocator allocator, int maxRows, int maxBytes, List<ColumnType> types) {
        super(maxRows, maxBytes);
        this.allocator = allocator;
        this.capacity = rowCapacity(maxRows, maxBytes, types.size());
        this.values =
                types.stream()
                        .map(ColumnType::word)
                        .map(FixedBuffers::new)
                        .toArray(FixedBuffers[]::new);
    }

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes, List<ColumnType> types) {
        return memoryBytes(rowCapacity(maxRows, maxBytes, types.size()), types.size());
    }

    @Override
    public boolean isFull() {
        return rows() == capacity;
    }

    @Override
    public long memoryBytes() {
        if (keys == null) {
            return 0;
        }
        long bytes = allValid.capacity() + keys.capacity() + slices.capacity();
        for (FixedBuffers buffers : values) {
            bytes += buffers.memoryBytes();
        }
        return bytes;
    }

    /**
     * Appends a row.
     *
     * @param keyId the key column's value
     */
    public boolean append(int keyId, long slice, RowValues row) {
        int at = rows();
        int bitmapBytes = at % Byte.SIZE == 0 ? values.length : 0;
        if (!reserve(1, KEY_BYTES + WORD_BYTES + WORD_BYTES * values.length + bitmapBytes)) {
            return false;
        }
        MemoryUtil.putInt(keys.memoryAddress() + (long) KEY_BYTES * at, keyId);
        MemoryUtil.putLong(slices.memoryAddress() + (long) WORD_BYTES * at, slice);
        for (int i = 0; i < values.length; i++) {
            if (row.isNull(i)) {
                values[i].putNull(at);
            } else {
                values[i].put(at, row.word(i));
            }
        }
        added();
        return true;
    }

    @Override
    long neededBytes(int rowCapacity, int firstBytes) {
        return memoryBytes(capacity, values.length);
    }

    @Override
    void allocate(int rowCapacity, int firstBytes) {
        allValid = Bits.allSet(allocator, capacity);
        keys = allocator.buffer((long) KEY_BYTES * capacity);
        slices = allocator.buffer((long) WORD_BYTES * capacity);
        for (FixedBuffers buffers : values) {
            buffers.allocate(allocator, capacity);
        }
    }

    @Override
    ColumnBatch seal() {
        List<FieldVector> columns = new ArrayList<>();
        columns.add(loaded(new IntVector("key", allocator), keys));
        columns.add(loaded(new BigIntVector("slice", allocator), slices));
        for (int i = 0; i < values.length; i++) {
            columns.add(values[i].vector("value" + i, allocator, rows()));
        }
        return new ColumnBatch(new VectorSchemaRoot(columns), 0);
    }

    @Override
    void release() {
        Bits.closeAll(allValid, keys, slices);
        for (FixedBuffers buffers : values) {
            buffers.close();
        }
        allValid = null;
        keys = null;
        slices = null;
    }

    private FieldVector loaded(BaseFixedWidthVector vector, ArrowBuf numbers) {
        vector.loadFieldBuffers(new ArrowFieldNode(rows(), 0), List.of(allValid, numbers));
        return vector;
    }

    private static long memoryBytes(long capacity, int values) {
        return CommonUtil.nextPowerOfTwo(KEY_BYTES * capacity)
                + (1L + values) * CommonUtil.nextPowerOfTwo(WORD_BYTES * capacity)
                + (1L + values) * CommonUtil.nextPowerOfTwo(Bits.bytes(capacity));
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
