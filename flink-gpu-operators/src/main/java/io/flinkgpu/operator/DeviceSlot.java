package io.flinkgpu.operator;

import io.flinkgpu.backend.OpenRequest;

import org.apache.flink.api.common.externalresource.ExternalResourceInfo;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

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
        return new OpenRequest(
                memoryLimitBytes,
                of(context),
                subtasks(context),
                assigned(context).size(),
                hashKey);
    }

    /** The index of a GPU that Flink assigned to this TaskManager, else the subtask's index. */
    private static int of(RuntimeContext context) {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        List<Integer> indexes = assigned(context);
        return indexes.isEmpty() ? subtask : indexes.get(subtask % indexes.size());
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

    private static List<Integer> assigned(RuntimeContext context) {
        return context.getExternalResourceInfos(RESOURCE).stream()
                .map(DeviceSlot::deviceIndex)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
    }

    private static Optional<Integer> deviceIndex(ExternalResourceInfo info) {
        return info.getProperty(RESOURCE_INDEX).map(Integer::valueOf);
    }
}
