package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.backend.BackendFactory;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.util.OutputTag;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What a {@link LocalAggregateOperator} does. Travels in the job graph.
 *
 * @param enabled false to check records only
 * @param deadLetters null to fail the task instead
 */
record LocalAggregation<K, T>(
        KeySelector<T, K> selector,
        TypeInformation<K> keyType,
        Aggregates<T> aggregates,
        WindowShape shape,
        boolean enabled,
        OutputTag<DeadLetter<T>> deadLetters,
        GpuOptions options,
        BackendFactory backend,
        BackendFactory fallback)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    LocalAggregation {
        Objects.requireNonNull(selector, "selector");
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(fallback, "fallback");
    }

    /** Whether records are aggregated at all: those of processing-time windows have no slice here. */
    boolean usesBackend() {
        return enabled && !shape.isProcessingTime();
    }

    List<ValueSpec> specs() {
        return aggregates.specs();
    }

    List<ValueType> valueTypes() {
        return specs().stream().map(ValueSpec::type).toList();
    }
}
