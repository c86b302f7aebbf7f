package io.flinkgpu.operator.window;

import io.flinkgpu.groups.GroupCursor;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** Takes the groups of windows that fire, one at a time. */
@Internal
@FunctionalInterface
public interface WindowReceiver {

    /**
     * @param group to be read only, and now
     */
    void receive(TimeWindow window, GroupCursor group) throws Exception;
}
