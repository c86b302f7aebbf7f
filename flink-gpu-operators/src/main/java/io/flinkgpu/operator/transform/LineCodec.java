package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.operator.BatchEmitter;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.DeviceTime;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.memory.BufferAllocator;

/**
 * A row a line. The program reads one text, the line, and has one result, the text that replaces it; a
 * line whose result is null is left out.
 */
public final class LineCodec implements TransformCodec<LineChunk, LineChunk> {

    private static final long serialVersionUID = 1L;

    @Override
    public BatchInput<LineChunk> input(BufferAllocator allocator, BatchPolicy policy) {
        BatchBuilder builder = new BatchBuilder(allocator, policy.maxRows(), policy.maxBytes(), 1);
        return new BatchInput<>(builder, chunk -> builder.appendLines(chunk.bytes()));
    }

    @Override
    public BatchEmitter<LineChunk, TransformedBatch> emitter(
            Output<StreamRecord<LineChunk>> output, DeviceTime deviceTime) {
        return new LineEmitter(output, deviceTime);
    }
}
