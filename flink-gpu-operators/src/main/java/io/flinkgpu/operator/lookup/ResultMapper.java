package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lookup.LookupMapper;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * The user's mapper, whose errors show nothing of a request unless the job asks for it. Travels in the job graph.
 *
 * @param <Q> a request's record
 * @param <R> what is made of its result
 */
@Internal
public record ResultMapper<Q, R>(LookupMapper<Q, R> mapper, ErrorValues errors)
        implements LookupOutput<Q, R> {

    private static final long serialVersionUID = 1L;

    public ResultMapper {
        Objects.requireNonNull(mapper, "mapper");
        Objects.requireNonNull(errors, "errors");
    }

    @Override
    public BatchEmitter<Q, TransformedBatch> emitter(BatchContext<Q, R> context) {
        return new LookupEmitter<>(this, context.output(), new DeviceTime(context.metrics()));
    }

    /**
     * What the mapper makes of a result; null for nothing.
     *
     * @throws IllegalStateException if it throws
     */
    R map(Q record, LookupValues values) {
        try {
            return mapper.map(new LookupResult<>(record, values));
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "a mapper must not throw: error=" + errors.thrown(e) + errors.remedy(),
                    errors.cause(e));
        }
    }
}
