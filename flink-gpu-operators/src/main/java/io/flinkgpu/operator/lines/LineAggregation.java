package io.flinkgpu.operator.lines;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.operator.window.WindowShape;

import java.io.Serializable;
import java.util.Objects;

/**
 * What a {@link LineAggregateOperator} does. Travels in the job graph.
 *
 * @param plan its slices are those of the shape
 * @param shape of event time, or one window for all time
 * @param maxHeldGroups how many partials wait to be sent, at most
 * @param maxHeldKeyBytes how many bytes their keys may have
 */
record LineAggregation(
        LineReading reading,
        LinePlan plan,
        WindowShape shape,
        GpuOptions options,
        BackendFactory backend,
        BackendFactory fallback,
        int maxHeldGroups,
        long maxHeldKeyBytes)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    LineAggregation {
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(fallback, "fallback");
    }
}
