package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

/**
 * What a program keeps where its batches run, loaded once and changed by batches. It is empty when the
 * program is compiled, and closed with it; memory for all that its plan asks for is taken, or refused,
 * then. Called by the backend thread only.
 */
@Internal
public interface Resident {

    /** Batches of changes that may be applied between the submission of a batch and its end. */
    int BATCHES_BESIDE = 2;

    /**
     * Changes it, while no batch of the program is under way unless it {@link #changesBesideBatches may be}:
     * those before saw what was before, those afterwards see all of the changes. A change takes the place of an earlier one in the same batch.
     *
     * @param changes the caller's, who may close it when this returns
     * @throws BackendException when it would need more than its plan asks for; what it holds means nothing
     *     from then on, and the task has to fail
     */
    void apply(ColumnBatch changes) throws BackendException;

    /**
     * Whether changes may be applied while batches that were submitted before are under way, which still see
     * what they should. At most {@link #BATCHES_BESIDE} batches of changes are applied meanwhile.
     */
    default boolean changesBesideBatches() {
        return false;
    }

    /** How many batches of changes were applied. */
    long version();

    /** The memory that was taken for it. */
    long bytes();
}
