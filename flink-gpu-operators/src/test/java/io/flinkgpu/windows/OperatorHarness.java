package io.flinkgpu.windows;

import io.flinkgpu.operator.Harnesses;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.InstantiationUtil;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import static org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils.createExecutionAttemptId;

/** One subtask of an operator that a job was built of, in Flink's harness. */
final class OperatorHarness<IN, OUT> extends OneInputStreamOperatorTestHarness<IN, OUT> {

    /** Key groups of every keyed operator here. */
    static final int MAX_PARALLELISM = 16;

    private static final String LATE_COUNTER = "numLateRecordsDropped";

    private final MockEnvironment environment;
    private final List<Counter> lateCounters;
    private final boolean rocksDb;

    private OperatorHarness(
            OneInputStreamOperator<IN, OUT> operator,
            MockEnvironment environment,
            List<Counter> lateCounters,
            boolean rocksDb)
            throws Exception {
        super(operator, environment);
        this.environment = environment;
        this.lateCounters = lateCounters;
        this.rocksDb = rocksDb;
    }

    private OperatorHarness(
            OneInputStreamOperatorFactory<IN, OUT> factory,
            MockEnvironment environment,
            List<Counter> lateCounters,
            boolean rocksDb)
            throws Exception {
        super(factory, environment);
        this.environment = environment;
        this.lateCounters = lateCounters;
        this.rocksDb = rocksDb;
    }

    /**
     * Opens a subtask, with a copy of the operator as the job graph would bring it.
     *
     * @param restored null for a fresh start
     */
    static <IN, OUT> OperatorHarness<IN, OUT> open(
            OneInputTransformation<IN, OUT> transformation,
            int parallelism,
            int subtask,
            boolean objectReuse,
            StateBackend backend,
            long nowMillis,
            OperatorSubtaskState restored)
            throws Exception {
        OperatorHarness<IN, OUT> harness = of(transformation, parallelism, subtask, backend);
        if (objectReuse) {
            harness.getExecutionConfig().enableObjectReuse();
        }
        harness.config.setupNetworkInputs(
                transformation
                        .getInputType()
                        .createSerializer(harness.getExecutionConfig().getSerializerConfig()));
        KeySelector<IN, ?> selector = keySelector(transformation);
        if (selector != null) {
            harness.config.setStatePartitioner(0, selector);
            harness.config.setStateKeySerializer(
                    transformation
                            .getStateKeyType()
                            .createSerializer(harness.getExecutionConfig().getSerializerConfig()));
            harness.setStateBackend(backend);
        }
        harness.config.serializeAllConfigs();
        harness.setProcessingTime(nowMillis);
        harness.setup(
                transformation
                        .getOutputType()
                        .createSerializer(harness.getExecutionConfig().getSerializerConfig()));
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    private static <IN, OUT> OperatorHarness<IN, OUT> of(
            OneInputTransformation<IN, OUT> transformation,
            int parallelism,
            int subtask,
            StateBackend backend)
            throws Exception {
        List<Counter> lateCounters = new CopyOnWriteArrayList<>();
        TestingMetricRegistry registry =
                TestingMetricRegistry.builder()
                        .setRegisterConsumer(
                                (metric, name, group) -> {
                                    if (name.equals(LATE_COUNTER)) {
                                        lateCounters.add((Counter) metric);
                                    }
                                })
                        .build();
        MockEnvironment environment =
                new MockEnvironmentBuilder()
                        .setTaskName("task")
                        .setManagedMemorySize(4 << 20)
                        .setMaxParallelism(MAX_PARALLELISM)
                        .setParallelism(parallelism)
                        .setSubtaskIndex(subtask)
                        .setMetricGroup(
                                TaskManagerMetricGroup.createTaskManagerMetricGroup(
                                                registry, "localhost", ResourceID.generate())
                                        .addJob(new JobID(), "job")
                                        .addTask(createExecutionAttemptId(), "task"))
                        .build();
        StreamOperatorFactory<OUT> factory =
                InstantiationUtil.clone(transformation.getOperatorFactory());
        boolean rocksDb = backend instanceof EmbeddedRocksDBStateBackend;
        return factory instanceof SimpleOperatorFactory<OUT> simple
                ? new OperatorHarness<>(operator(simple), environment, lateCounters, rocksDb)
                : new OperatorHarness<>(marked(factory), environment, lateCounters, rocksDb);
    }

    @SuppressWarnings("unchecked") // An operator of a OneInputTransformation.
    private static <IN, OUT> OneInputStreamOperator<IN, OUT> operator(
            SimpleOperatorFactory<OUT> factory) {
        return (OneInputStreamOperator<IN, OUT>) factory.getOperator();
    }

    @SuppressWarnings("unchecked") // A factory of a OneInputTransformation.
    private static <IN, OUT> OneInputStreamOperatorFactory<IN, OUT> marked(
            StreamOperatorFactory<OUT> factory) {
        return (OneInputStreamOperatorFactory<IN, OUT>) factory;
    }

    @SuppressWarnings("unchecked") // Flink forgets the key's type, not the input's.
    static <IN> KeySelector<IN, ?> keySelector(OneInputTransformation<IN, ?> transformation) {
        return (KeySelector<IN, ?>) transformation.getStateKeySelector();
    }

    /** Runs the mails there are, as an idle task does. */
    void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    long lateRecordsDropped() {
        return lateCounters.stream().mapToLong(Counter::getCount).sum();
    }

    /** Entries of keyed state, timers not counted. */
    long stateEntries() {
        KeyedStateBackend<?> backend = getOperator().getKeyedStateBackend();
        return rocksDb
                ? entries(backend, "window-contents") + entries(backend, "merging-window-set")
                : ((TestableKeyedStateBackend<?>) backend).numKeyValueStateEntries();
    }

    private static long entries(KeyedStateBackend<?> backend, String state) {
        try (Stream<?> entries = backend.getKeysAndNamespaces(state)) {
            return entries.count();
        }
    }

    /** Ends the operator as the end of its input does. */
    void finish() throws Exception {
        endInputIfWanted();
        getOperator().finish();
    }

    private void endInputIfWanted() throws Exception {
        if (getOperator() instanceof org.apache.flink.streaming.api.operators.BoundedOneInput) {
            endInput();
        }
    }

    /** Closes the operator, without an end of its input if {@link #finish} was not called. */
    @Override
    public void close() {
        try {
            getOperator().close();
            environment.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
