package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

/**
 * What a {@link BatchPipeline} runs over its batches. Every method is called by the pipeline's thread.
 *
 * @param <R> result of a batch, or of some of its rows
 */
@Internal
public interface BatchProgram<R extends AutoCloseable> extends AutoCloseable {

    /** Opens the backend and prepares the program. Called once, first. */
    Backend open() throws Exception;

    /** Starts work on a batch, which stays the caller's and open until the work was awaited. */
    Submission<R> submit(ColumnBatch batch) throws BackendException;

    /**
     * Does the work while no other is under way and no other result is held, in as many parts as it
     * takes. Called for batches that {@link #submit} or its work failed for with a {@code
     * DeviceOutOfMemoryException}, or with Arrow's {@code OutOfMemoryException}.
     */
    void runInParts(ColumnBatch batch, Parts<R> parts) throws Exception;

    /** Whether {@link #apply} may be called while batches are under way. */
    default boolean changesBesideBatches() {
        return false;
    }

    /**
     * Changes what the program keeps resident, while no batch is under way unless {@link
     * #changesBesideBatches}: those submitted before do not see it, all others do.
     *
     * @param changes stays the caller's
     */
    void apply(ColumnBatch changes) throws Exception;

    /** Gives everything back, also after a failed {@link #open()}. Called once, last. */
    @Override
    void close();

    /** Where the parts of a result go, in the order of their rows. */
    @FunctionalInterface
    interface Parts<R> {

        /** Takes a part over, and waits until it was emitted and its memory is back. */
        void add(R part) throws Exception;
    }
}
