package io.flinkgpu.backend.steps;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Submission;

/** Some steps of a program, made ready to run one after the other. */
interface Stage extends AutoCloseable {

    /**
     * Starts work and returns without waiting for it.
     *
     * @param columns to which {@link Submission#await()} appends what the steps write
     * @return the nanoseconds that the backend took
     */
    Submission<Long> submit(StepColumns columns) throws BackendException;

    @Override
    void close();
}
