package io.flinkgpu.operator.redact;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.BatchCodec;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchProgram;
import io.flinkgpu.operator.MicroBatchOperator;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Redacts the text of each record. On a keyed stream the output is not keyed any more, as with any
 * Flink map: no key context is kept for the batches' records, since nothing here uses keyed state and
 * whatever follows takes its keys from the records.
 */
final class RedactOperator<T> extends MicroBatchOperator<T, T, RedactedBatch> {

    private static final long serialVersionUID = 1L;

    private final transient BatchCodec<T> codec;
    private final transient CompiledRules rules;
    private final transient GpuOptions options;
    private final transient BackendFactory backend;
    private final transient BackendFactory fallback;

    RedactOperator(
            StreamOperatorParameters<T> parameters,
            BatchCodec<T> codec,
            CompiledRules rules,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        super(parameters, options.batchPolicy());
        this.codec = codec;
        this.rules = rules;
        this.options = options;
        this.backend = backend;
        this.fallback = fallback;
    }

    @Override
    protected BatchInput<T> createInput(BufferAllocator allocator) {
        BatchPolicy policy = options.batchPolicy();
        BatchBuilder builder =
                new BatchBuilder(
                        allocator, policy.maxRows(), policy.maxBytes(), codec.separatorBytes());
        return new BatchInput<>(builder, record -> codec.append(record, builder));
    }

    @Override
    protected BatchProgram<RedactedBatch> createProgram() {
        byte[] hashKey =
                rules.ruleSet().needsHashKey()
                        ? options.hashKey().map(HashKey::load).orElseThrow()
                        : new byte[0];
        return new RedactProgram(
                backend, fallback, options.memoryLimitBytes(), getRuntimeContext(), rules, hashKey);
    }

    @Override
    protected BatchEmitter<T, RedactedBatch> createEmitter() {
        RedactMetrics metrics =
                new RedactMetrics(getMetricGroup(), getRuntimeContext(), rules.ruleSet());
        return new RedactEmitter<>(codec, output, metrics);
    }
}
