package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.lines.LineBatchBuilder.Split;

import org.apache.flink.annotation.Internal;

import java.util.Objects;

/**
 * Parses lines and aggregates them by key and slice, for windows that are not this library's.
 *
 * @param reading has a time; its malformed lines have no tag
 * @param plan its slices are of that time
 * @param partials takes the groups
 */
@Internal
public record LinePartialsSpec<OUT>(
        LineReading reading, LinePlan plan, LinePartials.Factory<OUT> partials)
        implements BatchSpec<Lines, OUT, ParsedLines> {

    private static final long serialVersionUID = 1L;

    public LinePartialsSpec {
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(partials, "partials");
    }

    @Override
    public long tableBytes(GpuOptions options) {
        return partials.maxBytes();
    }

    @Override
    public BatchFunction<Lines, ParsedLines> open(
            BatchEngine<Lines, ParsedLines> engine, BatchContext<Lines, OUT> context)
            throws Exception {
        LineMetrics metrics = new LineMetrics(context.metrics(), context.runtime());
        long started = System.nanoTime();
        engine.open(context, plan, ParsedLines::of);
        metrics.openNanos.add(System.nanoTime() - started);
        BatchPolicy policy = context.options().batchPolicy();
        engine.limitDelay(policy.maxDelay());
        OwnWatermarks watermarks = new OwnWatermarks(context.output());
        LinePartialsOutput lines =
                new LinePartialsOutput(
                        reading,
                        plan,
                        new HostLines(
                                reading,
                                context.output(),
                                metrics,
                                context.options().errorValues()),
                        metrics,
                        watermarks,
                        partials.open(context.output()));
        return new LinePartialsAggregator(
                engine,
                new LineBatchBuilder(
                        engine.allocator(),
                        LineAggregateSpec.maxChunks(policy),
                        policy.maxBytes(),
                        Split.NONE,
                        FileReports.of(context.metrics())),
                lines,
                watermarks,
                metrics);
    }
}
