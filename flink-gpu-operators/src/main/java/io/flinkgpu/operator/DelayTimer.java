package io.flinkgpu.operator;

import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.function.ThrowingRunnable;

import java.time.Duration;

/**
 * Calls when a batch has waited long enough. One of Flink's timers is armed at a time: if a new batch
 * was started meanwhile, it is armed again instead of being cancelled for each batch. Task thread only.
 */
public final class DelayTimer {

    private final ProcessingTimeService time;
    private final long delayMillis;
    private final ThrowingRunnable<Exception> onDue;
    private long dueMillis;
    private boolean armed;

    public DelayTimer(
            ProcessingTimeService time, Duration delay, ThrowingRunnable<Exception> onDue) {
        this.time = time;
        this.delayMillis = delay.toMillis();
        this.onDue = onDue;
    }

    /** Forgets the batch before and waits for a new one. */
    public void start() {
        dueMillis = time.getCurrentProcessingTime() + delayMillis;
        if (!armed) {
            arm();
        }
    }

    private void arm() {
        armed = true;
        time.registerTimer(dueMillis, this::onTimer);
    }

    private void onTimer(long timeMillis) throws Exception {
        armed = false;
        if (timeMillis < dueMillis) {
            arm();
        } else {
            onDue.run();
        }
    }
}
