package io.flinkgpu.operator.lines;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.text.CompiledRules;

import java.io.Serializable;
import java.util.Objects;

/**
 * What a redaction of lines does, and on what. Travels in the job graph.
 *
 * @param options of these, the batch policy, the memory limit and the hash key are used
 * @param backend opens what runs the batches
 * @param fallback opens what runs a batch that the first backend has no memory for
 * @param lendsLines whether chunks have their lines only until whoever is next in the chain returns
 */
record LineRedaction(
        CompiledRules rules,
        GpuOptions options,
        BackendFactory backend,
        BackendFactory fallback,
        boolean lendsLines)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    LineRedaction {
        Objects.requireNonNull(rules, "rules");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(fallback, "fallback");
    }
}
