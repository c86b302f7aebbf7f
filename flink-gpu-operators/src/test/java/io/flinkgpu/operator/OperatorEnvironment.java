package io.flinkgpu.operator;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.externalresource.ExternalResourceInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.metrics.MetricRegistry;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import static org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils.createExecutionAttemptId;

/** A task's environment that remembers the metrics of its operator. */
public final class OperatorEnvironment {

    private final Map<String, Metric> metrics = new ConcurrentHashMap<>();
    private final MockEnvironment environment;

    /** A task on a TaskManager that Flink gave these GPUs, in this order. */
    public OperatorEnvironment(String... gpuIndexes) {
        this(1, 1, 0, gpuIndexes);
    }

    /** One of some subtasks, on a TaskManager without GPUs. */
    public static OperatorEnvironment ofSubtask(int maxParallelism, int parallelism, int subtask) {
        return new OperatorEnvironment(maxParallelism, parallelism, subtask);
    }

    private OperatorEnvironment(
            int maxParallelism, int parallelism, int subtask, String... gpuIndexes) {
        Set<ExternalResourceInfo> gpus =
                Arrays.stream(gpuIndexes).map(Gpu::new).collect(Collectors.toSet());
        MetricRegistry registry =
                TestingMetricRegistry.builder()
                        .setRegisterConsumer(
                                (metric, name, group) ->
                                        metrics.put(scopeInOperator(group, name), metric))
                        .build();
        environment =
                new MockEnvironmentBuilder()
                        .setTaskName("task")
                        .setMaxParallelism(maxParallelism)
                        .setParallelism(parallelism)
                        .setSubtaskIndex(subtask)
                        .setExternalResourceInfoProvider(
                                name -> name.equals("gpu") ? gpus : Set.of())
                        .setMetricGroup(
                                TaskManagerMetricGroup.createTaskManagerMetricGroup(
                                                registry, "localhost", ResourceID.generate())
                                        .addJob(new JobID(), "job")
                                        .addTask(createExecutionAttemptId(), "task"))
                        .build();
    }

    public MockEnvironment environment() {
        return environment;
    }

    /** A metric by its name behind the operator's scope, for example {@code gpu.batchRows}. */
    public Metric metric(String name) {
        return metrics.get(name);
    }

    public long counter(String name) {
        return ((Counter) metric(name)).getCount();
    }

    public long flushes(FlushReason reason) {
        return counter("gpu.flushReason." + reason + ".flushes");
    }

    /** What an accumulator of the operator has added up. */
    public long accumulator(String name) {
        return (Long) environment.getAccumulatorRegistry().getUserMap().get(name).getLocalValue();
    }

    public Object gauge(String name) {
        return ((Gauge<?>) metric(name)).getValue();
    }

    private static String scopeInOperator(AbstractMetricGroup<?> group, String name) {
        String identifier = group.getMetricIdentifier(name);
        return identifier.substring(identifier.indexOf(".gpu.") + 1);
    }

    private record Gpu(String index) implements ExternalResourceInfo {

        @Override
        public Optional<String> getProperty(String key) {
            return key.equals("index") ? Optional.of(index) : Optional.empty();
        }

        @Override
        public Collection<String> getKeys() {
            return List.of("index");
        }
    }
}
