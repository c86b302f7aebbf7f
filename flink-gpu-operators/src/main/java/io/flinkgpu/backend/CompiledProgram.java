package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

/**
 * A program ready to run on a backend. Called by the backend thread only.
 *
 * @param <R> result of a batch
 */
public interface CompiledProgram<R extends AutoCloseable> extends AutoCloseable {

    /**
     * Starts work on a batch and returns without waiting for it. Batches submitted before this one may
     * still be running.
     *
     * @param batch stays the caller's, who keeps it open until {@link Submission#await()} returned or
     *     threw
     */
    Submission<R> submit(ColumnBatch batch) throws BackendException;

    @Override
    void close();
}
