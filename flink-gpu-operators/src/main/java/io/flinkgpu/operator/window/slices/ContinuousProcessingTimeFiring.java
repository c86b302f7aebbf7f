package io.flinkgpu.operator.window.slices;

import io.flinkgpu.operator.window.FiringTimer;
import io.flinkgpu.operator.window.WindowPlan;

import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Windows that fire by the clock, as with Flink's {@code ContinuousProcessingTimeTrigger}: not when the
 * watermark closes them, and not when the input ends. Task thread only.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class ContinuousProcessingTimeFiring<T, S> extends ContinuousFiring<T, S> {

    private final FiringTimer timer;

    ContinuousProcessingTimeFiring(
            WindowPlan<T, ?, S, ?> plan,
            WindowTables<T, ?, S, ?> tables,
            AssignedWindows<T> assigned,
            LateRecords<T> late,
            ProcessingTimeService time) {
        super(plan, tables, assigned, late);
        this.timer = new FiringTimer(time, this::onTime);
    }

    @Override
    long afterRecord(long timestamp, long last, long before) {
        return before == NEVER ? firstAfter(timer.now(), last) : before;
    }

    @Override
    boolean firesLate() {
        return false;
    }

    @Override
    void expected(long time) {
        timer.at(time);
    }

    private void onTime(long time) throws Exception {
        tables.settle();
        fireUpTo(time);
        tables.updateMetrics();
        timer.at(nextFiring());
    }
}
