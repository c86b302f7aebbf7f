package io.flinkgpu.operator.lookup;

import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * What is made of results. Travels in the job graph.
 *
 * @param <Q> a request's record
 * @param <OUT> what is emitted
 */
@Internal
public sealed interface LookupOutput<Q, OUT> extends Serializable
        permits ResultMapper, BatchResultMapper {

    /** Emits it in a subtask. */
    BatchEmitter<Q, TransformedBatch> emitter(BatchContext<Q, OUT> context);
}
