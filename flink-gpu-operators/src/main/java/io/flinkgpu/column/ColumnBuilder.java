package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Fills a batch with rows, and starts the next one after {@link #build()}. Takes memory only while a
 * batch is open: room for all that its limits allow at the first row, more only for a single record
 * that is larger, which is then alone in its batch.
 *
 * <p>Each {@code append} returns false, and appends nothing, if the batch has no room; an empty batch
 * takes any record. If the allocator has no memory it throws Arrow's {@code OutOfMemoryException} and
 * the builder stays as it was. Not thread-safe.
 */
@Internal
public abstract sealed class ColumnBuilder implements AutoCloseable
        permits BatchBuilder, RowBatchBuilder, ValueBatchBuilder {

    private final int maxRows;
    private final int maxBytes;
    private long maxMemoryBytes = Long.MAX_VALUE;
    private int rows;
    private int bytes;
    private int lastRows;
    private long lastBytes;

    /**
     * @param maxRows rows in a batch
     * @param maxBytes bytes of its values
     */
    ColumnBuilder(int maxRows, int maxBytes) {
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    /** Rows in the open batch. */
    public final int rows() {
        return rows;
    }

    /** Bytes of the values in the open batch, separators included. */
    public final int bytes() {
        return bytes;
    }

    /** Whether another record like the last one would not fit. */
    public boolean isFull() {
        return rows > 0 && (isOutOfRows() || bytes + lastBytes > maxBytes);
    }

    /** Whether another record like the last one would have too many rows. */
    public final boolean isOutOfRows() {
        return (long) rows + lastRows > maxRows;
    }

    /**
     * Limits the memory that the next batches take. A record that needs more is refused with Arrow's
     * {@code OutOfMemoryException}, like one that the allocator has no memory for.
     */
    public final void limitMemory(long maxMemoryBytes) {
        this.maxMemoryBytes = maxMemoryBytes;
    }

    /** The memory that the open batch takes. */
    public abstract long memoryBytes();

    /**
     * Seals the batch. The builder is empty afterwards.
     *
     * @return the batch, the caller's to close
     * @throws IllegalStateException if it has no rows
     */
    public final ColumnBatch build() {
        if (rows == 0) {
            throw new IllegalStateException("a batch needs a row: rows=0");
        }
        ColumnBatch batch = seal();
        close();
        return batch;
    }

    /** Drops the open batch. The builder can be used again. */
    @Override
    public final void close() {
        release();
        rows = 0;
        bytes = 0;
    }

    /** Whether there is room for a record; the first one of a batch makes its room. */
    final boolean reserve(int moreRows, long moreBytes) {
        lastRows = moreRows;
        lastBytes = moreBytes;
        if (rows > 0) {
            return !isFull();
        }
        if (moreBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a record's text has at most 2147483647 bytes, the reach of a column's offsets:"
                            + " bytes="
                            + moreBytes
                            + "; split the record");
        }
        int rowCapacity = Math.max(maxRows, moreRows);
        requireMemory(rowCapacity, (int) moreBytes);
        try {
            allocate(rowCapacity, (int) moreBytes);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return true;
    }

    /** Refuses a batch that would take more than the limit. */
    final void requireMemory(int rowCapacity, int firstBytes) {
        long neededBytes = neededBytes(rowCapacity, firstBytes);
        if (neededBytes > maxMemoryBytes) {
            throw new OutOfMemoryException(
                    "a batch with this record needs "
                            + neededBytes
                            + " bytes: maxMemoryBytes="
                            + maxMemoryBytes);
        }
    }

    /** Says how many rows the record has, if that was not known when it was reserved. */
    final void setLastRows(int lastRows) {
        this.lastRows = lastRows;
    }

    /** Says that what was reserved is there. */
    final void added() {
        rows += lastRows;
        bytes += (int) lastBytes;
    }

    final int maxRows() {
        return maxRows;
    }

    final int maxBytes() {
        return maxBytes;
    }

    /** The memory that {@link #allocate} will take, at most. */
    abstract long neededBytes(int rowCapacity, int firstBytes);

    /** Takes memory for a batch that starts with a record of this size. */
    abstract void allocate(int rowCapacity, int firstBytes);

    /** Makes a batch of what there is. */
    abstract ColumnBatch seal();

    /** Gives the memory back, also after a failed {@link #allocate}. */
    abstract void release();
}
