package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.TaskInfo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.stream.Collectors;

/**
 * The line of the log that says what an operator is and where it runs, as {@code name=value}; the first
 * subtask writes it, once for each attempt.
 */
@Internal
final class StartLine {

    private static final Logger LOG = LoggerFactory.getLogger(StartLine.class);

    private StartLine() {}

    /** Writes it, if this is the first subtask. */
    static void log(BatchContext<?, ?> context, Plan<?> plan, Placement placement) {
        TaskInfo task = context.runtime().getTaskInfo();
        if (task.getIndexOfThisSubtask() == 0) {
            LOG.info(
                    "started: {} subtasks={} attempt={}",
                    of(plan, placement, context.options()),
                    task.getNumberOfParallelSubtasks(),
                    task.getAttemptNumber());
        }
    }

    /** What does not depend on the job. */
    static String of(Plan<?> plan, Placement placement, GpuOptions options) {
        BatchPolicy policy = options.batchPolicy();
        return "plan=\""
                + plan.name()
                + "\" backend="
                + placement.kind()
                + " device=\""
                + placement
                + "\" "
                + plan.sizes().stream().map(size -> size + " ").collect(Collectors.joining())
                + "maxRows="
                + policy.maxRows()
                + " maxBytes="
                + policy.maxBytes()
                + " maxDelayMillis="
                + policy.maxDelay().toMillis()
                + " memoryLimitBytes="
                + options.memoryLimitBytes();
    }
}
