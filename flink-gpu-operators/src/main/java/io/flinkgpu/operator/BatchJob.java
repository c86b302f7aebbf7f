package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.Objects;

/**
 * What an operator does, and on what. Travels in the job graph.
 *
 * @param options of these, the batch policy, the memory limit and the hash key are used
 * @param backend opens what runs the batches
 * @param fallback opens what runs a batch that the first backend has no memory for
 */
@Internal
public record BatchJob<IN, OUT, R extends AutoCloseable>(
        BatchSpec<IN, OUT, R> spec,
        GpuOptions options,
        BackendFactory backend,
        BackendFactory fallback)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public BatchJob {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(fallback, "fallback");
    }
}
