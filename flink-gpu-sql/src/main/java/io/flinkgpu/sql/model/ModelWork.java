package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.operator.BatchInput;

import org.apache.arrow.memory.BufferAllocator;

import java.io.Serializable;

/**
 * What becomes of the requests of a model, in batches. Travels in the job graph.
 *
 * @param <Q> a request
 * @param <A> its answer
 * @param <R> result of a batch
 */
interface ModelWork<Q, A, R extends AutoCloseable> extends Serializable {

    /** What is done with each batch. */
    Plan<R> plan();

    /**
     * Where requests go, each as one row.
     *
     * @param allocator where the columns live; stays the caller's
     */
    BatchInput<Q> input(BufferAllocator allocator, BatchPolicy policy);

    /**
     * Loads what the plan keeps where batches run, before the first of them.
     *
     * @param allocator likewise
     */
    default void load(CompiledProgram<R> program, BufferAllocator allocator, BatchPolicy policy)
            throws Exception {}

    /**
     * The answer to a request, with nothing of the result's.
     *
     * @param row that the request is in its batch
     */
    A answer(R result, int row, Q request);
}
