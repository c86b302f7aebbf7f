package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** Takes what state holds of the windows of the current key, one at a time. */
@Internal
@FunctionalInterface
public interface PartialReceiver {

    /**
     * @param partial to be read only
     * @param fired whether the window has fired with it, and is kept for late ones only
     */
    void receive(TimeWindow window, Partial partial, boolean fired) throws Exception;
}
