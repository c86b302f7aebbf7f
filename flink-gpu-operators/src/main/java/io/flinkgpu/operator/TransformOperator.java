package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.program.Program;

import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Computes expressions of each record. On a keyed stream the output is not keyed any more, as with any
 * Flink map: nothing here uses keyed state.
 */
final class TransformOperator<IN, OUT> extends MicroBatchOperator<IN, OUT, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    private final transient TransformCodec<IN, OUT> codec;
    private final transient Program program;
    private final transient GpuOptions options;
    private final transient BackendFactory backend;
    private final transient BackendFactory fallback;

    TransformOperator(
            StreamOperatorParameters<OUT> parameters,
            TransformCodec<IN, OUT> codec,
            Program program,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        super(parameters, options.batchPolicy());
        this.codec = codec;
        this.program = program;
        this.options = options;
        this.backend = backend;
        this.fallback = fallback;
    }

    @Override
    BatchInput<IN> createInput(BufferAllocator allocator) {
        return codec.input(allocator, options.batchPolicy());
    }

    @Override
    BatchProgram<TransformedBatch> createProgram() {
        byte[] hashKey =
                program.needsHashKey()
                        ? options.hashKey().map(HashKey::load).orElseThrow()
                        : new byte[0];
        return new TransformProgram(
                backend,
                fallback,
                options.memoryLimitBytes(),
                getRuntimeContext(),
                program,
                hashKey);
    }

    @Override
    BatchEmitter<IN, TransformedBatch> createEmitter() {
        DeviceTime deviceTime = new DeviceTime(getMetricGroup());
        return codec.emitter(output, deviceTime);
    }
}
