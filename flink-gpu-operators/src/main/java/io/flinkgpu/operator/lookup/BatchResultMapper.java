package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * The user's mapper of batches, whose errors show nothing of requests unless the job asks for it. Travels in the job
 * graph.
 *
 * @param <Q> a request's record
 * @param <R> what is made
 */
@Internal
public record BatchResultMapper<Q, R>(LookupBatchMapper<Q, R> mapper, ErrorValues errors)
        implements LookupOutput<Q, R> {

    private static final long serialVersionUID = 1L;

    public BatchResultMapper {
        Objects.requireNonNull(mapper, "mapper");
        Objects.requireNonNull(errors, "errors");
    }

    @Override
    public BatchEmitter<Q, TransformedBatch> emitter(BatchContext<Q, R> context) {
        return new BatchesEmitter<>(this, context.output(), new DeviceTime(context.metrics()));
    }
}
