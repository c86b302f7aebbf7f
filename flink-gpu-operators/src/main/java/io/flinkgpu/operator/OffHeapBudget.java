package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import com.sun.management.OperatingSystemMXBean;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Compares what operators may take off the heap with what Flink was told to leave for it, and with what the
 * container, or the machine, has. Nothing else does: columns count neither as Flink's memory nor as the
 * JVM's direct memory, so that what is too much would end the container in the middle of a job. Thread-safe.
 */
@Internal
final class OffHeapBudget {

    /** Warns once in a process. */
    static final OffHeapBudget OF_PROCESS =
            new OffHeapBudget(
                    LoggerFactory.getLogger(OffHeapBudget.class)::warn,
                    OffHeapBudget::containerBytes);

    private final Consumer<String> warn;
    private final LongSupplier containerBytes;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param containerBytes memory that this process can have at most
     */
    OffHeapBudget(Consumer<String> warn, LongSupplier containerBytes) {
        this.warn = warn;
        this.containerBytes = containerBytes;
    }

    /** Of the container, where there is one with a limit, else of the machine. */
    private static long containerBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getTotalMemorySize();
    }

    /**
     * Fails if a subtask in each slot of this TaskManager may take more than the container has besides the
     * process as Flink has planned it; warns if it is only more than Flink was told.
     *
     * @param limitBytes what a subtask may take for batches
     * @param tableBytes what it, and the one that it sends to, may hold besides
     * @throws IllegalConfigurationException with the sizes, and what to change
     */
    void check(RuntimeContext context, long limitBytes, long tableBytes) {
        if (context instanceof StreamingRuntimeContext streaming) {
            Configuration taskManager = streaming.getTaskManagerRuntimeInfo().getConfiguration();
            MemorySize budget = taskManager.get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY);
            int slots = taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS);
            MemorySize needed = new MemorySize(slots * (limitBytes + tableBytes));
            if (budget.compareTo(needed) < 0) {
                String sizes =
                        TaskManagerOptions.TASK_OFF_HEAP_MEMORY.key()
                                + "="
                                + budget
                                + ", slots="
                                + slots
                                + ", memoryLimitBytes="
                                + limitBytes
                                + (tableBytes == 0
                                        ? ""
                                        : ", bytes for what it keeps=" + tableBytes);
                tooMuch(taskManager, needed.subtract(budget), sizes, needed);
            }
        }
    }

    private void tooMuch(
            Configuration taskManager, MemorySize lacking, String sizes, MemorySize needed) {
        Optional<MemorySize> process = processSize(taskManager);
        MemorySize container = new MemorySize(containerBytes.getAsLong());
        if (process.isPresent() && process.get().add(lacking).compareTo(container) > 0) {
            throw new IllegalConfigurationException(
                    "Columns off the heap may take more memory than the container, or the machine, has"
                            + " besides this TaskManager: memory="
                            + container
                            + ", the TaskManager's process="
                            + process.get()
                            + ", "
                            + sizes
                            + "; set it to "
                            + needed
                            + " or more, which is then part of the process' size, lower"
                            + " memoryLimitBytes, or take a larger container");
        } else if (warned.compareAndSet(false, true)) {
            warn.accept(
                    "Columns off the heap may take more memory than the TaskManager has for them: "
                            + sizes
                            + "; set it to "
                            + needed
                            + " or more, or lower memoryLimitBytes");
        }
    }

    /** What Flink has planned for the whole process; nothing where it was told too little to plan. */
    private static Optional<MemorySize> processSize(Configuration taskManager) {
        try {
            return Optional.of(
                    TaskExecutorProcessUtils.processSpecFromConfig(taskManager)
                            .getTotalProcessMemorySize());
        } catch (IllegalConfigurationException e) {
            return Optional.empty();
        }
    }
}
