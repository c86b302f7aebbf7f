package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import org.slf4j.LoggerFactory;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Compares what operators may take off the heap with what Flink was told to leave for it. Nothing else does:
 * columns count neither as Flink's memory nor as the JVM's direct memory, so that what is too much is seen
 * by the machine only, or by a container that ends. Thread-safe.
 */
@Internal
final class OffHeapBudget {

    /** Warns once in a process. */
    static final OffHeapBudget OF_PROCESS =
            new OffHeapBudget(LoggerFactory.getLogger(OffHeapBudget.class)::warn);

    private final Consumer<String> warn;
    private final AtomicBoolean warned = new AtomicBoolean();

    OffHeapBudget(Consumer<String> warn) {
        this.warn = warn;
    }

    /**
     * Warns if a subtask in each slot of this TaskManager may take more than there is.
     *
     * @param limitBytes what a subtask may take for batches
     * @param tableBytes what it, and the one that it sends to, may hold besides
     */
    void check(RuntimeContext context, long limitBytes, long tableBytes) {
        if (context instanceof StreamingRuntimeContext streaming) {
            Configuration taskManager = streaming.getTaskManagerRuntimeInfo().getConfiguration();
            check(
                    taskManager.get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY),
                    taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS),
                    limitBytes,
                    tableBytes);
        }
    }

    private void check(MemorySize budget, int slots, long limitBytes, long tableBytes) {
        MemorySize needed = new MemorySize(slots * (limitBytes + tableBytes));
        if (budget.compareTo(needed) < 0 && warned.compareAndSet(false, true)) {
            warn.accept(
                    "Columns off the heap may take more memory than the TaskManager has for them: "
                            + TaskManagerOptions.TASK_OFF_HEAP_MEMORY.key()
                            + "="
                            + budget
                            + ", slots="
                            + slots
                            + ", memoryLimitBytes="
                            + limitBytes
                            + (tableBytes == 0 ? "" : ", bytes for what it keeps=" + tableBytes)
                            + "; set it to "
                            + needed
                            + " or more, or lower memoryLimitBytes");
        }
    }
}
