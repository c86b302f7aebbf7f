package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.function.ThrowingConsumer;

import java.util.concurrent.ScheduledFuture;

/**
 * One of Flink's timers of processing time for a whole operator, not one for each key: armed for the
 * earliest time that was asked for. Task thread only.
 */
@Internal
public final class FiringTimer {

    private final ProcessingTimeService time;
    private final ThrowingConsumer<Long, Exception> onTime;
    private long armedMillis = Long.MAX_VALUE;

    /** Null while none is armed. */
    private ScheduledFuture<?> armed;

    /**
     * @param onTime called once for a time that was asked for, with that time; has to ask for the next
     */
    public FiringTimer(ProcessingTimeService time, ThrowingConsumer<Long, Exception> onTime) {
        this.time = time;
        this.onTime = onTime;
    }

    /** What the clock shows. */
    public long now() {
        return time.getCurrentProcessingTime();
    }

    /** Whether there is a time at which it will call. */
    public boolean isArmed() {
        return armed != null;
    }

    /** Calls at this time, or as soon as can be if it has passed; {@code Long.MAX_VALUE} is never. */
    public void at(long millis) {
        if (millis >= armedMillis) {
            return;
        }
        if (armed != null) {
            armed.cancel(false);
        }
        armedMillis = millis;
        armed = time.registerTimer(millis, this::call);
    }

    private void call(long millis) throws Exception {
        if (millis != armedMillis) {
            // Cancelled, but its mail was there already.
            return;
        }
        armed = null;
        armedMillis = Long.MAX_VALUE;
        onTime.accept(millis);
    }
}
