package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.operator.InFlightBatches;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.legacy.YieldingOperatorFactory;
import org.apache.flink.util.OutputTag;

import java.util.List;

/**
 * Makes the operators that check records, and aggregate them by key and slice before they are sent to
 * the keys' subtasks. Travels in the job graph.
 *
 * @param <K> the key, with {@code equals} and {@code hashCode} by content
 * @param <T> the record
 */
// Flink knows by this interface alone not to chain an operator that yields behind a legacy source,
// whose thread is not the mailbox's. Flink's own AsyncWaitOperatorFactory has it for the same
// reason.
@SuppressWarnings("deprecation") // There is no successor for this purpose.
public final class LocalAggregateOperatorFactory<K, T>
        extends AbstractStreamOperatorFactory<WindowInput<K, T>>
        implements OneInputStreamOperatorFactory<T, WindowInput<K, T>>,
                YieldingOperatorFactory<WindowInput<K, T>> {

    private static final long serialVersionUID = 1L;

    private final LocalAggregation<K, T> aggregation;

    /**
     * @param selector the key of a record; must not be null
     * @param aggregate false to check records only and send all of them as they came, which is always
     *     done for windows in processing time
     * @param deadLetters where records go that cannot be aggregated; null if such a record fails the
     *     task
     * @param options of these, the batch policy's rows and bytes and the memory limit are used
     * @param backend opens what runs the batches
     * @param fallback opens what runs a batch that the first backend has no memory for
     */
    public LocalAggregateOperatorFactory(
            KeySelector<T, K> selector,
            TypeInformation<K> keyType,
            Aggregates<T> aggregates,
            WindowShape shape,
            boolean aggregate,
            OutputTag<DeadLetter<T>> deadLetters,
            GpuOptions options,
            BackendFactory backend,
            BackendFactory fallback) {
        this.aggregation =
                new LocalAggregation<>(
                        selector,
                        keyType,
                        aggregates,
                        shape,
                        aggregate,
                        deadLetters,
                        options,
                        backend,
                        fallback);
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy, List<ValueSpec> specs) {
        return InFlightBatches.MAX_COLUMNS
                * ValueBatchBuilder.fullBatchBytes(
                        policy.maxRows(),
                        policy.maxBytes(),
                        specs.stream().map(ValueSpec::type).toList());
    }

    @Override
    @SuppressWarnings(
            "unchecked") // The framework asks for the type this factory was declared with.
    public <O extends StreamOperator<WindowInput<K, T>>> O createStreamOperator(
            StreamOperatorParameters<WindowInput<K, T>> parameters) {
        return (O) new LocalAggregateOperator<>(parameters, aggregation);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by Flink.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return LocalAggregateOperator.class;
    }
}
