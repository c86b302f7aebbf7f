package io.flinkgpu.bench;

import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * Batches of a program, whatever backend runs it.
 *
 * @param <R> result of a batch
 */
interface Work<R extends AutoCloseable> {

    /** The same batches each time; the caller closes them. */
    List<ColumnBatch> batches(BufferAllocator allocator);

    /** Throws {@link IllegalStateException} unless the results of a batch are the same. */
    void check(ColumnBatch batch, R actual, R expected);

    /** Time that the device worked on the batch. */
    long deviceNanos(R result);

    /** What is counted of a batch, so that one a nanosecond is one {@link #unit()}. */
    double amount(ColumnBatch batch);

    /** For example {@code GB/s}. */
    String unit();
}
