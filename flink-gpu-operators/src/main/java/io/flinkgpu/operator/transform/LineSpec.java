package io.flinkgpu.operator.transform;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.BatchMetrics;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.RecordBatches;
import io.flinkgpu.program.Program;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * Computes an expression of each line of chunks. The program reads one text, the line, and has one result,
 * the text that replaces it; a line whose result is null is left out.
 */
@Internal
public record LineSpec(Program program)
        implements BatchSpec<LineChunk, LineChunk, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    public LineSpec {
        Objects.requireNonNull(program, "program");
    }

    @Override
    public BatchFunction<LineChunk, TransformedBatch> open(
            BatchEngine<LineChunk, TransformedBatch> engine,
            BatchContext<LineChunk, LineChunk> context)
            throws Exception {
        engine.open(context, new TransformPlan(program));
        // No line is computed alone, but the metric is there for all transforms.
        BatchMetrics.group(context.metrics()).counter("singleRows");
        BatchPolicy policy = context.options().batchPolicy();
        BatchBuilder builder =
                new BatchBuilder(engine.allocator(), policy.maxRows(), policy.maxBytes(), 1);
        return new RecordBatches<>(
                engine,
                context,
                new BatchInput<>(builder, chunk -> builder.appendLines(chunk.bytes())),
                new LineResults(context),
                null);
    }
}
