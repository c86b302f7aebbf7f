package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.column.ValueBatchBuilder;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.InFlightBatches;
import io.flinkgpu.operator.window.Sent;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.OutputTag;

import java.util.List;
import java.util.Objects;

/**
 * Checks records, and aggregates them by key and slice before they are sent to the keys' subtasks: row by
 * row where the backend prefers that or groups keep cells, unless windows are sessions; else in batches.
 * Rows of sessions that keep cells are sent as they are.
 *
 * @param <K> the key, with {@code equals} and {@code hashCode} by content
 * @param <T> the record
 * @param selector the key of a record; must not be null
 * @param sent the most that is made of records that were checked: those of windows in processing time,
 *     which have no slice here, are always sent as they came, and in batch execution those that would be
 *     sent as rows, as Flink sorts them by their timestamps
 * @param deadLetters where records go that cannot be aggregated; null if such a record fails the task
 * @param maxHeldBytes what groups may take that wait to be sent
 * @param maxHeldMillis how long rows and groups may wait to be sent; 0 for any time
 * @param sampleRows how many rows are grouped before it is decided whether that pays
 */
@Internal
public record LocalAggregateSpec<K, T>(
        KeySelector<T, K> selector,
        TypeInformation<K> keyType,
        Aggregates<T> aggregates,
        WindowShape shape,
        Sent sent,
        OutputTag<DeadLetter<T>> deadLetters,
        long maxHeldBytes,
        long maxHeldMillis,
        int sampleRows)
        implements BatchSpec<T, WindowInput<K, T>, GroupedBatch> {

    private static final long serialVersionUID = 1L;

    /** Of the memory limit, this part more is for groups that wait to be sent. */
    private static final int HELD_PART = 8;

    public LocalAggregateSpec {
        Objects.requireNonNull(selector, "selector");
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(aggregates, "aggregates");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(sent, "sent");
    }

    /** With the limits that follow from an operator's options. */
    public static <K, T> LocalAggregateSpec<K, T> of(
            KeySelector<T, K> selector,
            TypeInformation<K> keyType,
            Aggregates<T> aggregates,
            WindowShape shape,
            Sent sent,
            OutputTag<DeadLetter<T>> deadLetters,
            long maxHeldMillis,
            GpuOptions options) {
        return new LocalAggregateSpec<>(
                selector,
                keyType,
                aggregates,
                shape,
                sent,
                deadLetters,
                options.memoryLimitBytes() / HELD_PART,
                maxHeldMillis,
                ReductionMonitor.SAMPLE_ROWS);
    }

    /** The columns that batches of this policy take while as many as may be are on their way. */
    public static long neededBytes(BatchPolicy policy, List<ValueSpec> specs) {
        return InFlightBatches.MAX_COLUMNS
                * ValueBatchBuilder.fullBatchBytes(
                        policy.maxRows(), policy.maxBytes(), valueTypes(specs));
    }

    /** Groups that wait to be sent, and the tables of the windows, which have a limit of the same size. */
    @Override
    public long tableBytes(GpuOptions options) {
        return (sent == Sent.GROUPS ? maxHeldBytes : 0) + options.memoryLimitBytes();
    }

    @Override
    public BatchFunction<T, GroupedBatch> open(
            BatchEngine<T, GroupedBatch> engine, BatchContext<T, WindowInput<K, T>> context)
            throws Exception {
        List<ValueSpec> specs = aggregates.specs();
        KeyCodec<K> codec = KeyCodec.of(context.runtime().createSerializer(keyType));
        LocalOutput<K, T> output =
                new LocalOutput<>(
                        deadLetters, BlockOutput.of(specs, codec, context), codec, context);
        LocalGroups<K> groups = null;
        OpenBatch<K> open = null;
        if (sends(context.batchExecution()) != Sent.RECORDS) {
            groups = groups(codec, output, engine.time());
            if (sent == Sent.GROUPS && !keepsCells()) {
                AggregatePlan plan = new AggregatePlan(ColumnType.INT, specs);
                boolean rowByRow = engine.open(context, plan).prefersRowByRow();
                // Whether two sessions merge is known when a batch of them is there.
                open =
                        rowByRow && !shape.isSession()
                                ? null
                                : openBatch(engine, context.options(), codec, output);
            }
        }
        ErrorValues errors = context.options().errorValues();
        RecordReader<K, T> reader =
                new RecordReader<>(selector, aggregates, timestampUse(), errors);
        return new LocalAggregator<>(engine, shape, reader, reader.newRow(), output, groups, open);
    }

    private Sent sends(boolean batchExecution) {
        return shape.isProcessingTime() || sent == Sent.ROWS && batchExecution
                ? Sent.RECORDS
                : sent;
    }

    private boolean keepsCells() {
        return KeptCell.count(aggregates.specs()) > 0;
    }

    private String timestampUse() {
        if (shape.isEventTime()) {
            return "to be in an event-time window";
        }
        return aggregates.isByTime() ? "to be the first or the last" : null;
    }

    private LocalGroups<K> groups(
            KeyCodec<K> codec, LocalOutput<K, ?> output, ProcessingTimeService time) {
        HeldGroups held =
                shape.isSession() || sent == Sent.ROWS
                        ? null
                        : new HeldGroups(shape, aggregates.specs(), maxHeldBytes, output::group);
        // Batches, which sessions are grouped in, have no cells.
        ReductionMonitor reduction =
                sent == Sent.ROWS || shape.isSession() && keepsCells()
                        ? null
                        : new ReductionMonitor(sampleRows);
        return new LocalGroups<>(shape, reduction, codec, output, held, time, maxHeldMillis);
    }

    private OpenBatch<K> openBatch(
            BatchEngine<T, GroupedBatch> engine,
            GpuOptions options,
            KeyCodec<K> codec,
            LocalOutput<K, ?> output) {
        BatchPolicy policy = options.batchPolicy();
        return new OpenBatch<>(
                new ValueBatchBuilder(
                        engine.allocator(),
                        policy.maxRows(),
                        policy.maxBytes(),
                        valueTypes(aggregates.specs())),
                codec,
                output::keyGroup,
                shape.isSession());
    }

    private static List<ColumnType> valueTypes(List<ValueSpec> specs) {
        return specs.stream().map(ValueSpec::type).toList();
    }
}
