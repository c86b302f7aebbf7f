package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A plan ready to run on a backend. Called by the backend thread only.
 *
 * @param <R> result of a batch
 */
@Internal
public interface CompiledProgram<R extends AutoCloseable> extends AutoCloseable {

    /**
     * Starts work on a batch and returns without waiting for it. Batches submitted before this one may
     * still be running.
     *
     * @param batch stays the caller's, who keeps it open until {@link Submission#await()} returned or
     *     threw
     */
    Submission<R> submit(ColumnBatch batch) throws BackendException;

    /**
     * Whether it takes batches that hold lines, too, and so needs nobody to look for the lines before.
     */
    default boolean findsLines() {
        return false;
    }

    /**
     * The same for records one at a time, if that is less work here than batches are.
     *
     * @return used by the task thread; nothing where batches are better, or the plan needs them
     */
    default Optional<RowProgram> rows() {
        return Optional.empty();
    }

    /**
     * Whether it is less work to do the same for each record as it comes than to make batches of them:
     * so it is where batches run on a core like the caller's own.
     */
    default boolean prefersRowByRow() {
        return false;
    }

    /**
     * The barrier of a checkpoint passes: what a program holds of batches after it ({@link
     * Plan#keepsOfBatches}) is not to be given out by programs that it has not passed yet. Called by the
     * task thread, while no batch is under way and nothing of the batches before is held.
     */
    default void barrierPassed(long checkpointId) {}

    /** What the plan keeps where batches run, in the order of {@link Plan#residents()}. */
    default List<Resident> residents() {
        return List.of();
    }

    /** Numbers to be watched, by the names of their metrics; read by any thread. */
    default Map<String, LongSupplier> gauges() {
        return Map.of();
    }

    @Override
    void close();
}
