package io.flinkgpu.column;

import io.flinkgpu.api.ValueType;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * Fills a batch with a key, a slice and numbers: the columns that an aggregation reads, in that order.
 * Starts the next batch after {@link #build()}. Takes memory only while a batch is open. Not
 * thread-safe.
 */
public final class ValueBatchBuilder implements AutoCloseable {

    /**
     * @param allocator where the columns live; stays the caller's
     * @param maxRows rows in a batch
     * @param maxBytes bytes of all columns in a batch; a batch has at least one row
     */
    public ValueBatchBuilder(
            BufferAllocator allocator, int maxRows, int maxBytes, List<ValueType> types) {}

    /** The memory that a full batch with these limits takes from an allocator, at most. */
    public static long fullBatchBytes(int maxRows, int maxBytes, List<ValueType> types) {
        throw new UnsupportedOperationException();
    }

    public int rows() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of the rows in the open batch. */
    public int bytes() {
        throw new UnsupportedOperationException();
    }

    public boolean isFull() {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends a row to a batch that is not full.
     *
     * @param keyId the key column's value
     * @throws org.apache.arrow.memory.OutOfMemoryException if this row opens a batch and there is no
     *     memory for it; the builder stays as it was
     */
    public void append(int keyId, long slice, RowValues values) {
        throw new UnsupportedOperationException();
    }

    /**
     * Seals the batch. The builder is empty afterwards.
     *
     * @return the batch, the caller's to close
     * @throws IllegalStateException if it has no rows
     */
    public ColumnBatch build() {
        throw new UnsupportedOperationException();
    }

    /** Drops the open batch. The builder can be used again. */
    @Override
    public void close() {}
}
