package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.column.ColumnBatch;

/**
 * What a {@link BatchPipeline} runs over its batches. Every method is called by the pipeline's thread.
 *
 * @param <R> result of a batch
 */
interface BatchProgram<R extends AutoCloseable> extends AutoCloseable {

    /** Opens the backend and prepares the program. Called once, first. */
    Backend open() throws Exception;

    /** Starts work on a batch, which stays the caller's and open until the work was awaited. */
    Work<R> submit(ColumnBatch batch) throws BackendException;

    /** Does the work with less memory, while no other work is under way. */
    R runWithLess(ColumnBatch batch, DeviceOutOfMemoryException cause) throws BackendException;

    /** Gives everything back, also after a failed {@link #open()}. Called once, last. */
    @Override
    void close();

    /** Work under way. */
    @FunctionalInterface
    interface Work<R> {

        /** Waits for the result, the caller's to close. Called once, in the order of submission. */
        R await() throws BackendException;
    }
}
