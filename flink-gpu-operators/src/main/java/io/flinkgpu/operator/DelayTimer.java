package io.flinkgpu.operator;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.function.ThrowingRunnable;

import java.util.concurrent.ScheduledFuture;

/**
 * Calls when a batch has waited long enough. One of Flink's timers is armed at a time: if a new batch
 * was started meanwhile that may wait longer, it is armed again instead of being cancelled for each
 * batch. Task thread only.
 */
@Internal
public final class DelayTimer {

    private final ProcessingTimeService time;
    private final ThrowingRunnable<Exception> onDue;
    private long dueMillis;
    private long armedMillis;

    /** Null while none is armed. */
    private ScheduledFuture<?> armed;

    public DelayTimer(ProcessingTimeService time, ThrowingRunnable<Exception> onDue) {
        this.time = time;
        this.onDue = onDue;
    }

    /** Forgets the batch before and waits for a new one. */
    public void start(long delayMillis) {
        dueMillis = time.getCurrentProcessingTime() + delayMillis;
        if (armed != null && dueMillis < armedMillis) {
            armed.cancel(false);
            armed = null;
        }
        if (armed == null) {
            arm();
        }
    }

    private void arm() {
        armedMillis = dueMillis;
        armed = time.registerTimer(dueMillis, this::onTimer);
    }

    private void onTimer(long timeMillis) throws Exception {
        if (timeMillis != armedMillis) {
            // Cancelled, but its mail was there already.
            return;
        }
        armed = null;
        if (timeMillis < dueMillis) {
            arm();
        } else {
            onDue.run();
        }
    }
}
