package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.Triggerable;

/** Timers that an earlier state has left. */
@Internal
public final class NoTimers<K, N> implements Triggerable<K, N> {

    @Override
    public void onEventTime(InternalTimer<K, N> timer) {}

    @Override
    public void onProcessingTime(InternalTimer<K, N> timer) {}
}
