package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.lines.LineBatchBuilder.Split;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.BlockOutput;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.types.Row;

import java.util.List;
import java.util.Objects;

/**
 * Parses lines and aggregates them by key and slice before they are sent to the keys' subtasks.
 *
 * @param plan its slices are those of the shape
 * @param shape of event time, where the reading has a time; or one window for all time
 * @param maxHeldBytes what groups that wait to be sent may take off the heap, besides the options' limit
 */
@Internal
public record LineAggregateSpec(
        LineReading reading, LinePlan plan, WindowShape shape, long maxHeldBytes)
        implements BatchSpec<Lines, WindowInput<String, Row>, ParsedLines> {

    private static final long serialVersionUID = 1L;

    /** One and a half million groups of a short key and a value. */
    static final long MAX_HELD_BYTES = 128L << 20;

    /** Chunks in a batch. A batch is full of bytes long before, unless chunks are tiny. */
    private static final int MAX_CHUNKS = 1 << 12;

    public LineAggregateSpec {
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(shape, "shape");
    }

    /**
     * @param keyField the field that lines are grouped by
     * @param valueFields the numbers' fields
     * @param values what is computed of each of them
     */
    public static LineAggregateSpec of(
            LineReading reading,
            int keyField,
            List<Integer> valueFields,
            List<ValueSpec> values,
            WindowShape shape) {
        TimeSlices time =
                shape.isEventTime()
                        ? new TimeSlices(
                                reading.timeField(), shape.sliceMillis(), shape.sliceOffsetMillis())
                        : null;
        LinePlan plan = new LinePlan(reading.format(), keyField, time, valueFields, values);
        return new LineAggregateSpec(
                reading, time == null ? plan.holdingGroups() : plan, shape, MAX_HELD_BYTES);
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * BatchBuilder.fullBatchBytes(maxChunks(policy), policy.maxBytes());
    }

    /** Groups that wait to be sent, and the tables of the windows, which have a limit of the same size. */
    @Override
    public long tableBytes(GpuOptions options) {
        return maxHeldBytes + options.memoryLimitBytes();
    }

    @Override
    public BatchFunction<Lines, ParsedLines> open(
            BatchEngine<Lines, ParsedLines> engine,
            BatchContext<Lines, WindowInput<String, Row>> context)
            throws Exception {
        LineMetrics metrics = new LineMetrics(context.metrics(), context.runtime());
        long started = System.nanoTime();
        CompiledProgram<LineGroups> program =
                engine.open(context, planOf(context), ParsedLines::of);
        metrics.openNanos.add(System.nanoTime() - started);
        BatchPolicy policy = context.options().batchPolicy();
        // Elsewhere no window fires before the end, and no batch is in a hurry.
        if (shape.isEventTime()) {
            engine.limitDelay(policy.maxDelay());
        }
        LineBatchBuilder builder =
                new LineBatchBuilder(
                        engine.allocator(),
                        maxChunks(policy),
                        policy.maxBytes(),
                        Split.NONE,
                        FileReports.of(context.metrics()));
        return new LineAggregator(
                engine,
                builder,
                this,
                program,
                context.output(),
                BlockOutput.of(plan.values(), KeyCodec.of(StringSerializer.INSTANCE), context),
                metrics,
                context.options().errorValues());
    }

    /** Where a subtask may be run again without the others, its groups are not to be among theirs. */
    private LinePlan planOf(BatchContext<?, ?> context) {
        return plan.holdsGroups() && !context.batchExecution()
                ? plan.heldBy(context.attempt())
                : plan;
    }

    /** How many chunks or ranges a batch may have. */
    static int maxChunks(BatchPolicy policy) {
        return Math.min(policy.maxRows(), MAX_CHUNKS);
    }
}
