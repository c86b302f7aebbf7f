package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.util.OutputTag;

import java.util.List;
import java.util.Objects;

/**
 * Checks records, and aggregates them by key and slice before they are sent to the keys' subtasks.
 *
 * @param <K> the key, with {@code equals} and {@code hashCode} by content
 * @param <T> the record
 * @param selector the key of a record; must not be null
 * @param aggregate false to check records only and send all of them as they came, which is always done for
 *     windows in processing time: their records have no slice here
 * @param deadLetters where records go that cannot be aggregated; null if such a record fails the task
 */
@Internal
public record LocalAggregateSpec<K, T>(
        KeySelector<T, K> selector,
        TypeInformation<K> keyType,
        Aggregates<T> aggregates,
        WindowShape shape,
        boolean aggregate,
        OutputTag<DeadLetter<T>> deadLetters)
        implements BatchSpec<T, WindowInput<K, T>, GroupedBatch> {

    private static final long serialVersionUID = 1L;

    public LocalAggregateSpec {
        Objects.requireNonNull(selector, "selector");
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(shape, "shape");
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy, List<ValueSpec> specs) {
        return InFlightBatches.MAX_COLUMNS
                * ValueBatchBuilder.fullBatchBytes(
                        policy.maxRows(), policy.maxBytes(), valueTypes(specs));
    }

    @Override
    public BatchFunction<T, GroupedBatch> open(
            BatchEngine<T, GroupedBatch> engine, BatchContext<T, WindowInput<K, T>> context)
            throws Exception {
        List<ValueSpec> specs = aggregates.specs();
        ReductionMonitor reduction = new ReductionMonitor();
        KeyCodec<K> codec = KeyCodec.of(context.runtime().createSerializer(keyType));
        boolean usesBackend = aggregate && !shape.isProcessingTime();
        return new LocalAggregator<>(
                engine,
                shape,
                new RecordReader<>(selector, new ValueReader<>(aggregates), shape.isEventTime()),
                new RowValues(specs.size()),
                new LocalOutput<>(
                        context.output(),
                        deadLetters,
                        BlockOutput.of(specs, codec, context),
                        codec,
                        reduction,
                        context.metrics()),
                reduction,
                usesBackend ? openBatch(engine, context) : null);
    }

    private OpenBatch<K> openBatch(
            BatchEngine<T, GroupedBatch> engine, BatchContext<T, WindowInput<K, T>> context)
            throws Exception {
        List<ValueSpec> specs = aggregates.specs();
        engine.open(context, new AggregatePlan(ColumnType.INT, specs));
        BatchPolicy policy = context.options().batchPolicy();
        return new OpenBatch<>(
                new ValueBatchBuilder(
                        engine.allocator(), policy.maxRows(), policy.maxBytes(), valueTypes(specs)),
                context.runtime().createSerializer(keyType),
                shape.isSession());
    }

    private static List<ColumnType> valueTypes(List<ValueSpec> specs) {
        return specs.stream().map(ValueSpec::type).toList();
    }
}
