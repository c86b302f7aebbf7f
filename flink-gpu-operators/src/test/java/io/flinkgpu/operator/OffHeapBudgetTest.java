package io.flinkgpu.operator;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.operator.window.Sent;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.LocalAggregateSpec;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.util.MockStreamingRuntimeContext;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: OffHeapBudget.
 */
class OffHeapBudgetTest {

    private static final long LIMIT_BYTES = 512L << 20;

    private final List<String> warnings = new ArrayList<>();
    private final OffHeapBudget budget = new OffHeapBudget(warnings::add, () -> 4L << 30);

    @Test
    void warnsOnceWhereASubtaskInEachSlotMayTakeMore() throws Exception {
        check("1023m", 2);
        check("0", 2);
        assertThat(warnings)
                .containsExactly(
                        "Columns off the heap may take more memory than the TaskManager has for them:"
                                + " taskmanager.memory.task.off-heap.size=1023 mb, slots=2,"
                                + " memoryLimitBytes=536870912; set it to 1 gb or more, or lower"
                                + " memoryLimitBytes");
    }

    @Test
    void flinksDefaultIsNothing() throws Exception {
        check(null, 1);
        assertThat(warnings).singleElement().asString().contains("off-heap.size=0 bytes, slots=1,");
    }

    @Test
    void saysNothingWhereThereIsEnough() throws Exception {
        check("1g", 2);
        check("512m", 1);
        // What Flink sets for a cluster in the client's process.
        check(MemorySize.MAX_VALUE.toString(), 8);
        assertThat(warnings).isEmpty();
    }

    @Test
    void groupsOfWindowsCount() throws Exception {
        check("1g", 2, 0);
        assertThat(warnings).isEmpty();
        check("1g", 2, LIMIT_BYTES);
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(
                        "memoryLimitBytes=536870912, bytes for what it keeps=536870912; set it to"
                                + " 2 gb or more");
    }

    @Test
    void aContainerThatIsTooSmallIsAnError() throws Exception {
        Configuration taskManager = new Configuration();
        taskManager.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.parse("3584m"));
        // With what is lacking, 512 MiB, all of the container's 4 GiB.
        taskManager.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.parse("512m"));
        taskManager.set(TaskManagerOptions.NUM_TASK_SLOTS, 2);
        checkOn(taskManager, 0);
        assertThat(warnings).hasSize(1);

        taskManager.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.parse("511m"));
        assertThatThrownBy(() -> checkOn(taskManager, 0))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessage(
                        "Columns off the heap may take more memory than the container, or the machine,"
                                + " has besides this TaskManager: memory=4 gb, the TaskManager's"
                                + " process=3584 mb, taskmanager.memory.task.off-heap.size=511 mb,"
                                + " slots=2, memoryLimitBytes=536870912; set it to 1 gb or more,"
                                + " which is then part of the process' size, lower"
                                + " memoryLimitBytes, or take a larger container");
        assertThat(warnings).hasSize(1);

        taskManager.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.parse("1g"));
        checkOn(taskManager, 0);
        assertThatThrownBy(() -> checkOn(taskManager, LIMIT_BYTES))
                .hasMessageContaining("bytes for what it keeps=536870912; set it to 2 gb or more");
    }

    @Test
    void windowsAskForTheirTablesAndForTheGroupsBeforeThem() {
        GpuOptions options = GpuOptions.DEFAULT.withMemoryLimitBytes(LIMIT_BYTES);
        LocalAggregateSpec<String, Integer> spec =
                LocalAggregateSpec.of(
                        Object::toString,
                        Types.STRING,
                        Aggregates.<Integer>of(value -> value, ColumnType.INT).sum(),
                        WindowShape.of(TumblingEventTimeWindows.of(Duration.ofSeconds(1))),
                        Sent.GROUPS,
                        null,
                        0,
                        options);
        assertThat(spec.tableBytes(options)).isEqualTo(LIMIT_BYTES + LIMIT_BYTES / 8);
    }

    private void check(String offHeap, int slots) throws Exception {
        check(offHeap, slots, 0);
    }

    private void check(String offHeap, int slots, long tableBytes) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, slots);
        if (offHeap != null) {
            configuration.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.parse(offHeap));
        }
        checkOn(configuration, tableBytes);
    }

    private void checkOn(Configuration taskManager, long tableBytes) throws Exception {
        MockEnvironment environment =
                new MockEnvironmentBuilder()
                        .setTaskManagerRuntimeInfo(new TestingTaskManagerRuntimeInfo(taskManager))
                        .build();
        budget.check(new MockStreamingRuntimeContext(1, 0, environment), LIMIT_BYTES, tableBytes);
        environment.close();
    }
}
