package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

/** A rule set ready to run on a backend. Called by the backend thread only. */
public interface CompiledRedaction extends AutoCloseable {

    /**
     * Starts work on a batch and returns without waiting for it. Batches submitted before this one may
     * still be running.
     *
     * @param batch stays the caller's, who keeps it open until {@link Submission#await()} returned or
     *     threw
     */
    Submission submit(ColumnBatch batch) throws BackendException;

    @Override
    void close();

    /** Work under way on one batch. */
    @FunctionalInterface
    interface Submission {

        /**
         * Waits for the result. Called once, in the order of submission.
         *
         * @return the result; the caller closes it
         */
        RedactedBatch await() throws BackendException;
    }
}
