package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * What a verb brings to an operator that works in batches. Travels in the job graph, as part of a {@link
 * BatchOperatorFactory}.
 *
 * @param <IN> what comes in
 * @param <OUT> what goes out
 * @param <R> result of a batch
 */
@Internal
public interface BatchSpec<IN, OUT, R extends AutoCloseable> extends Serializable {

    /**
     * Starts one operator's work; called once, when it opens. Task thread.
     *
     * @param engine runs the operator's batches; opened here, with what is to be computed, unless nothing
     *     is
     */
    BatchFunction<IN, R> open(BatchEngine<IN, R> engine, BatchContext<IN, OUT> context)
            throws Exception;

    /**
     * How many bytes off the heap a subtask may hold besides its batches: in tables of its own, and in
     * those of the operator that it sends to, in the same slot.
     */
    default long tableBytes(GpuOptions options) {
        return 0;
    }
}
