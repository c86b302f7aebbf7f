package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.ExactAggregate;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.groups.BlockWriter;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowInputKeySelector;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.metrics.MetricRegistry;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackend;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.streaming.runtime.operators.windowing.WindowOperatorBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import static org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils.createExecutionAttemptId;

/**
 * Flink's operator harness around windows of {@link Row}s: around Flink's own operator, or around ours.
 *
 * @param <IN> what comes in
 */
final class WindowHarness<IN> extends OneInputStreamOperatorTestHarness<IN, WindowResult<String>> {

    /** Key groups of an operator of several subtasks; of others it is one. */
    static final int MAX_PARALLELISM = 8;

    static final OutputTag<Row> LATE = new OutputTag<>("late", TypeInformation.of(Row.class));

    private final Map<String, Metric> metrics;

    private WindowHarness(
            WindowAggregateOperatorFactory<?, ?, ?, WindowResult<String>> factory,
            KeySelector<IN, String> selector,
            Map<String, Metric> metrics,
            int keyGroups,
            int parallelism,
            int subtask)
            throws Exception {
        super(inputOf(factory), environment(metrics, keyGroups, parallelism, subtask));
        this.metrics = metrics;
        keyBy(selector);
    }

    private WindowHarness(
            OneInputStreamOperator<IN, WindowResult<String>> operator,
            KeySelector<IN, String> selector,
            Map<String, Metric> metrics)
            throws Exception {
        super(operator, environment(metrics, 1, 1, 0));
        this.metrics = metrics;
        keyBy(selector);
    }

    /** Our operator. */
    static WindowHarness<WindowInput<String, Row>> ours(
            WindowAssigner<Object, ?> assigner, long latenessMillis, boolean lateOutput, int slices)
            throws Exception {
        return ours(assigner, latenessMillis, lateOutput, slices, 1 << 30, false);
    }

    /** Our operator, with a budget for tables, or with state in Flink's format. */
    static WindowHarness<WindowInput<String, Row>> ours(
            WindowAssigner<Object, ?> assigner,
            long latenessMillis,
            boolean lateOutput,
            int slices,
            long stateMemoryBytes,
            boolean flinkState)
            throws Exception {
        return ours(
                assigner,
                WindowTrigger.of(assigner),
                latenessMillis,
                lateOutput,
                slices,
                stateMemoryBytes,
                flinkState);
    }

    /** Our operator, with a trigger of its own. */
    static WindowHarness<WindowInput<String, Row>> ours(
            WindowAssigner<Object, ?> assigner,
            WindowTrigger trigger,
            long latenessMillis,
            boolean lateOutput,
            int slices,
            long stateMemoryBytes,
            boolean flinkState)
            throws Exception {
        WindowPlan<Row, String, String, WindowResult<String>> plan =
                new WindowPlan<>(
                        assigner,
                        shape(assigner),
                        trigger,
                        Row.AGGREGATES,
                        StateKeys.unchanged(Types.STRING),
                        latenessMillis,
                        stateMemoryBytes,
                        flinkState,
                        lateOutput ? LATE : null,
                        result -> result,
                        ErrorValues.of(ErrorDetail.FULL));
        return ours(plan, slices, 1, 1, 0);
    }

    private static WindowHarness<WindowInput<String, Row>> ours(
            WindowPlan<Row, String, String, WindowResult<String>> plan,
            int slices,
            int keyGroups,
            int parallelism,
            int subtask)
            throws Exception {
        return new WindowHarness<>(
                new WindowAggregateOperatorFactory<>(plan, slices),
                new WindowInputKeySelector<>(Row::key),
                new ConcurrentHashMap<>(),
                keyGroups,
                parallelism,
                subtask);
    }

    /** One of several subtasks of our operator. */
    static WindowHarness<WindowInput<String, Row>> subtask(
            WindowAssigner<Object, ?> assigner, WindowTrigger trigger, int parallelism, int subtask)
            throws Exception {
        return subtask(assigner, trigger, 1 << 30, parallelism, subtask);
    }

    /** Likewise, with a budget for tables. */
    static WindowHarness<WindowInput<String, Row>> subtask(
            WindowAssigner<Object, ?> assigner,
            WindowTrigger trigger,
            long stateMemoryBytes,
            int parallelism,
            int subtask)
            throws Exception {
        return ours(
                new WindowPlan<>(
                        assigner,
                        shape(assigner),
                        trigger,
                        Row.AGGREGATES,
                        StateKeys.unchanged(Types.STRING),
                        0,
                        stateMemoryBytes,
                        false,
                        null,
                        result -> result,
                        ErrorValues.of(ErrorDetail.FULL)),
                1 << 16,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    /** The shape, also of windows of all time that need a trigger of their own. */
    static WindowShape shape(WindowAssigner<Object, ?> assigner) {
        return assigner instanceof GlobalWindows ? WindowShape.global() : WindowShape.of(assigner);
    }

    /** Flink's operator, with our accumulators. */
    static <W extends Window> WindowHarness<Row> flinks(
            WindowAssigner<Object, W> assigner, long latenessMillis, boolean lateOutput)
            throws Exception {
        return flinks(assigner, assigner.getDefaultTrigger(), latenessMillis, lateOutput);
    }

    /** Flink's operator with a trigger of its own. */
    static <W extends Window> WindowHarness<Row> flinks(
            WindowAssigner<Object, W> assigner,
            Trigger<Object, W> trigger,
            long latenessMillis,
            boolean lateOutput)
            throws Exception {
        WindowOperatorBuilder<Row, String, W> builder =
                new WindowOperatorBuilder<>(
                        assigner,
                        trigger,
                        new ExecutionConfig(),
                        TypeInformation.of(Row.class),
                        Row::key,
                        Types.STRING);
        builder.allowedLateness(Duration.ofMillis(latenessMillis));
        if (lateOutput) {
            builder.sideOutputLateData(LATE);
        }
        ExactAggregate<Row> exact = new ExactAggregate<>(Row.AGGREGATES);
        return new WindowHarness<>(
                builder.aggregate(exact, exact.toResult(), exact.accumulatorType()),
                Row::key,
                new ConcurrentHashMap<>());
    }

    /** A block of the group that rows of one key make. */
    static WindowInput<String, Row> block(long start, long end, Row... rows) {
        return SentGroup.block(
                rows[0].key(),
                start,
                end,
                partial(rows),
                KeyCodec.of(StringSerializer.INSTANCE),
                1,
                Row.AGGREGATES.specs());
    }

    /** A block of rows of one key, for windows with a trigger. */
    static WindowInput<String, Row> rows(WindowTrigger trigger, List<Row> rows)
            throws BadValueException {
        Aggregates<Row> kept = trigger.kept(Row.AGGREGATES);
        ValueReader<Row> reader = new ValueReader<>(kept, ErrorValues.HIDDEN);
        RowCells cells = new RowCells(kept.specs());
        RowValues values = cells.newRow();
        KeyBytes key = new KeyBytes();
        KeyCodec.of(StringSerializer.INSTANCE).write(rows.get(0).key(), key);
        BlockWriter writer = new BlockWriter(0, kept.specs());
        for (Row row : rows) {
            reader.read(row, values);
            cells.fill(values, 0);
            writer.row(key, Long.MIN_VALUE, Long.MAX_VALUE, values);
        }
        return WindowInput.block(rows.get(0).key(), writer.take());
    }

    private static Partial partial(Row... rows) {
        ExactAggregate<Row> exact = new ExactAggregate<>(Row.AGGREGATES);
        Partial partial = exact.createAccumulator();
        for (Row row : rows) {
            exact.add(row, partial);
        }
        return partial;
    }

    /** Opens the operator on this state; null for none. */
    WindowHarness<IN> start(OperatorSubtaskState state) throws Exception {
        setup();
        if (state != null) {
            initializeState(state);
        }
        open();
        return this;
    }

    /** What a checkpoint takes. */
    OperatorSubtaskState checkpoint(long id) throws Exception {
        prepareSnapshotPreBarrier(id);
        return snapshot(id, id);
    }

    /** What a savepoint in the format of all backends takes. */
    OperatorSubtaskState savepoint(long id) throws Exception {
        prepareSnapshotPreBarrier(id);
        return snapshotWithLocalState(
                        id, id, SavepointType.savepoint(SavepointFormatType.CANONICAL))
                .getJobManagerOwnedState();
    }

    /** Removes the results that came out, and gives them as texts, in an order of their own. */
    List<String> takeResults() {
        List<String> results = new ArrayList<>();
        for (StreamRecord<WindowResult<String>> record : getRecordOutput()) {
            WindowResult<String> result = record.getValue();
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < result.values().size(); i++) {
                values.add(result.values().get(i));
            }
            results.add(
                    result.key()
                            + " ["
                            + result.startMillis()
                            + ", "
                            + result.endMillis()
                            + ") "
                            + values
                            + (record.hasTimestamp() ? " @" + record.getTimestamp() : ""));
        }
        getOutput().clear();
        results.sort(null);
        return results;
    }

    /** Removes the late rows that came out, and gives them as texts, in order. */
    List<String> takeLate() {
        List<String> late = new ArrayList<>();
        if (getSideOutput(LATE) != null) {
            getSideOutput(LATE).forEach(row -> late.add(row.toString()));
            getSideOutput(LATE).clear();
        }
        return late;
    }

    long counter(String name) {
        return ((Counter) metrics.get(name)).getCount();
    }

    Object gauge(String name) {
        return ((Gauge<?>) metrics.get(name)).getValue();
    }

    /** How many of them say only up to where windows have fired. */
    long summaries() {
        return getOperator()
                .<String>getKeyedStateBackend()
                .getKeys("window-groups-summary", VoidNamespace.INSTANCE)
                .count();
    }

    int stateEntries() {
        KeyedStateBackend<String> backend = getOperator().getKeyedStateBackend();
        return backend instanceof HeapKeyedStateBackend<?> heap
                ? heap.numKeyValueStateEntries()
                : ((RocksDBKeyedStateBackend<?>) backend).numKeyValueStateEntries();
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }

    private void keyBy(KeySelector<IN, String> selector) {
        config.setStatePartitioner(0, selector);
        config.setStateKeySerializer(
                Types.STRING.createSerializer(executionConfig.getSerializerConfig()));
        config.serializeAllConfigs();
    }

    @SuppressWarnings("unchecked") // The factory's input is a window input, as is IN.
    private static <IN> OneInputStreamOperatorFactory<IN, WindowResult<String>> inputOf(
            WindowAggregateOperatorFactory<?, ?, ?, WindowResult<String>> factory) {
        return (OneInputStreamOperatorFactory<IN, WindowResult<String>>) factory;
    }

    private static MockEnvironment environment(
            Map<String, Metric> metrics, int keyGroups, int parallelism, int subtask) {
        MetricRegistry registry =
                TestingMetricRegistry.builder()
                        .setRegisterConsumer((metric, name, group) -> metrics.put(name, metric))
                        .build();
        return new MockEnvironmentBuilder()
                .setTaskName("window")
                .setMaxParallelism(keyGroups)
                .setParallelism(parallelism)
                .setSubtaskIndex(subtask)
                .setMetricGroup(
                        TaskManagerMetricGroup.createTaskManagerMetricGroup(
                                        registry, "localhost", ResourceID.generate())
                                .addJob(new JobID(), "job")
                                .addTask(createExecutionAttemptId(), "task"))
                .build();
    }
}
