package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A batch operator that puts what comes in into the columns of one builder: when they are full, and what
 * becomes of a record there is no room or no memory for. All methods are the task thread's.
 *
 * @param <IN> what comes in
 * @param <OUT> what goes out
 * @param <B> what is kept of a batch on its way
 * @param <R> result of a batch
 */
public abstract class ColumnBatchOperator<
                IN, OUT, B extends InFlightBatch<R>, R extends AutoCloseable>
        extends BatchOperator<IN, OUT, B, R> {

    private static final long serialVersionUID = 1L;

    private transient ColumnBuilder columns;

    /**
     * Batches of a single record that take more than this are the only ones on their way, so that
     * inputs never take the memory that results need.
     */
    private transient long largeBatchBytes;

    protected ColumnBatchOperator(StreamOperatorParameters<OUT> parameters) {
        super(parameters);
    }

    /** Says which builder {@link #tryAppend} fills, with memory of this backend. */
    protected final void fill(ColumnBuilder columns, Backend backend) {
        this.columns = columns;
        largeBatchBytes = backend.allocator().getLimit() / InFlightBatches.MAX_COLUMNS;
    }

    /**
     * Appends to the open batch.
     *
     * @return false if it has no room
     * @throws OutOfMemoryException if there is no memory for it; it can be appended again
     */
    protected abstract boolean tryAppend(IN value) throws Exception;

    /** Why something cannot be appended although nothing else takes memory. */
    protected abstract IllegalStateException noMemory(IN value, OutOfMemoryException cause);

    /**
     * Appends to the open batch, or to the next one.
     *
     * @return whether a batch had to be flushed before
     */
    protected final boolean append(IN value) throws Exception {
        boolean flushed = false;
        while (!appendOnceMemoryIsBack(value)) {
            flush(fullReason());
            flushed = true;
        }
        return flushed;
    }

    private boolean appendOnceMemoryIsBack(IN value) throws Exception {
        columns.limitMemory(inFlight.isEmpty() ? Long.MAX_VALUE : largeBatchBytes);
        try {
            return tryAppend(value);
        } catch (OutOfMemoryException e) {
            if (inFlight.isEmpty()) {
                throw noMemory(value, e);
            }
            inFlight.awaitAll();
            return appendOnceMemoryIsBack(value);
        }
    }

    /** Sends the batch on its way if it has no room for another record like the last one. */
    protected final void flushIfFull() throws Exception {
        if (columns.isFull()) {
            boolean alone = columns.memoryBytes() > largeBatchBytes;
            flush(fullReason());
            if (alone) {
                inFlight.awaitAll();
            }
        }
    }

    private FlushReason fullReason() {
        return columns.isOutOfRows() ? FlushReason.ROWS : FlushReason.BYTES;
    }
}
