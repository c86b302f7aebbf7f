package io.flinkgpu.operator;

import org.apache.flink.api.common.externalresource.ExternalResourceInfo;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import java.util.List;
import java.util.Optional;

/** Which device a subtask uses. */
final class DeviceSlot {

    private static final String RESOURCE = "gpu";
    private static final String RESOURCE_INDEX = "index";

    private DeviceSlot() {}

    /** The index of a GPU that Flink assigned to this TaskManager, else the subtask's index. */
    static int of(RuntimeContext context) {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        List<Integer> indexes = assigned(context);
        return indexes.isEmpty() ? subtask : indexes.get(subtask % indexes.size());
    }

    /** How many of an operator's subtasks this process may have: those that it has slots for. */
    static int subtasks(RuntimeContext context) {
        int subtasks = context.getTaskInfo().getNumberOfParallelSubtasks();
        if (context instanceof StreamingRuntimeContext streaming) {
            Configuration taskManager = streaming.getTaskManagerRuntimeInfo().getConfiguration();
            subtasks = Math.min(subtasks, taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS));
        }
        return subtasks;
    }

    /** How many GPUs Flink assigned to this TaskManager; 0 if it assigns none. */
    static int devices(RuntimeContext context) {
        return assigned(context).size();
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
