package io.flinkgpu.operator;

import org.apache.flink.api.common.externalresource.ExternalResourceInfo;
import org.apache.flink.api.common.functions.RuntimeContext;

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
        List<Integer> indexes =
                context.getExternalResourceInfos(RESOURCE).stream()
                        .map(DeviceSlot::deviceIndex)
                        .flatMap(Optional::stream)
                        .sorted()
                        .toList();
        return indexes.isEmpty() ? subtask : indexes.get(subtask % indexes.size());
    }

    private static Optional<Integer> deviceIndex(ExternalResourceInfo info) {
        return info.getProperty(RESOURCE_INDEX).map(Integer::valueOf);
    }
}
