package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/**
 * Work under way on one batch.
 *
 * @param <R> the result
 */
@FunctionalInterface
@Internal
public interface Submission<R> {

    /**
     * Waits for the result. Called once, in the order of submission.
     *
     * @return the result; the caller closes it
     */
    R await() throws BackendException;

    /** Whether {@link #await} would return at once, or it is not known; may be asked before it. */
    default boolean isDone() throws BackendException {
        return true;
    }
}
