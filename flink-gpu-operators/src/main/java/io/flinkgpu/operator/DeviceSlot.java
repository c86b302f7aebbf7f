package io.flinkgpu.operator;

import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Asks for a backend for a subtask: on which device, and with how many others. */
final class DeviceSlot {

    private static final String RESOURCE = "gpu";
    private static final String RESOURCE_INDEX = "index";

    private DeviceSlot() {}

    /**
     * What a subtask's backend is opened for.
     *
     * @param hashKey the caller's, who fills it with zeros once the backend is closed
     */
    static OpenRequest request(RuntimeContext context, long memoryLimitBytes, byte[] hashKey) {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        List<String> assigned = assigned(context);
        return new OpenRequest(
                memoryLimitBytes,
                subtask,
                assigned.isEmpty() ? null : assigned.get(subtask % assigned.size()),
                subtasks(context),
                assigned.size(),
                hashKey);
    }

    /** How many of an operator's subtasks this process may have: those that it has slots for. */
    private static int subtasks(RuntimeContext context) {
        int subtasks = context.getTaskInfo().getNumberOfParallelSubtasks();
        if (context instanceof StreamingRuntimeContext streaming) {
            Configuration taskManager = streaming.getTaskManagerRuntimeInfo().getConfiguration();
            subtasks = Math.min(subtasks, taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS));
        }
        return subtasks;
    }

    /** The GPUs that Flink assigned to this TaskManager, in an order that is the same for all subtasks. */
    private static List<String> assigned(RuntimeContext context) {
        return context.getExternalResourceInfos(RESOURCE).stream()
                .map(info -> info.getProperty(RESOURCE_INDEX))
                .flatMap(Optional::stream)
                .map(String::strip)
                .sorted(Comparator.comparingInt(String::length).thenComparing(order -> order))
                .toList();
    }
}
