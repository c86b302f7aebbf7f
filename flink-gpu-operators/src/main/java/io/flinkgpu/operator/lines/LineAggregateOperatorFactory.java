package io.flinkgpu.operator.lines;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;
import org.apache.flink.types.Row;

import java.util.List;

/**
 * Makes the operators that parse lines and aggregate them by key and slice before they are sent to the
 * keys' subtasks. Travels in the job graph.
 */
// Flink knows by this interface alone not to chain an operator that yields behind a legacy source,
// whose thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same
// reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
public final class LineAggregateOperatorFactory
        extends AbstractStreamOperatorFactory<WindowInput<String, Row>>
        implements OneInputStreamOperatorFactory<Lines, WindowInput<String, Row>>,
                YieldingOperatorFactory<WindowInput<String, Row>> {

    private static final long serialVersionUID = 1L;

    /** Some tens of megabytes of partials. */
    private static final int MAX_HELD_GROUPS = 1 << 16;

    private static final long MAX_HELD_KEY_BYTES = 16L << 20;

    private final LineAggregation aggregation;

    /**
     * @param keyField the field that lines are grouped by
     * @param valueFields the numbers' fields
     * @param values what is computed of each of them
     * @param shape of event time, where the reading has a time; or one window for all time
     * @param options of these, the batch policy and the memory limit are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public LineAggregateOperatorFactory(
            LineReading reading,
            int keyField,
            List<Integer> valueFields,
            List<ValueSpec> values,
            WindowShape shape,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this(
                new LineAggregation(
                        reading,
                        plan(reading, keyField, valueFields, values, shape),
                        shape,
                        options,
                        backend,
                        fallback,
                        MAX_HELD_GROUPS,
                        MAX_HELD_KEY_BYTES));
    }

    LineAggregateOperatorFactory(LineAggregation aggregation) {
        this.aggregation = aggregation;
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    /** The plan of lines whose slices are those of windows. */
    static LinePlan plan(
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
        return new LinePlan(reading.format(), keyField, time, valueFields, values);
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy) {
        return InFlightBatches.MAX_COLUMNS
                * BatchBuilder.fullBatchBytes(
                        LineAggregateOperator.maxChunks(policy), policy.maxBytes());
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<WindowInput<String, Row>>> O createStreamOperator(
            StreamOperatorParameters<WindowInput<String, Row>> parameters) {
        return (O) new LineAggregateOperator(parameters, aggregation);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LineAggregateOperator.class;
    }
}
