package io.flinkgpu.backend;

/**
 * Work under way on one batch.
 *
 * @param <R> the result
 */
@FunctionalInterface
public interface Submission<R> {

    /**
     * Waits for the result. Called once, in the order of submission.
     *
     * @return the result; the caller closes it
     */
    R await() throws BackendException;
}
