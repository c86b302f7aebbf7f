package io.flinkgpu.operator.window.slices;

import io.flinkgpu.operator.window.WindowPlan;

/**
 * Windows that fire at watermarks, as with Flink's {@code ContinuousEventTimeTrigger}, and at once with each
 * record that is late for them. Task thread only.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class ContinuousEventTimeFiring<T, S> extends ContinuousFiring<T, S> {

    ContinuousEventTimeFiring(
            WindowPlan<T, ?, S, ?> plan,
            WindowTables<T, ?, S, ?> tables,
            AssignedWindows<T> assigned,
            LateRecords<T> late) {
        super(plan, tables, assigned, late);
    }

    @Override
    long afterRecord(long timestamp, long last, long before) {
        // After a restore a window that had ended may end again.
        return before == NEVER ? firstAfter(timestamp, last) : before == FIRED ? last : before;
    }

    @Override
    boolean firesLate() {
        return true;
    }

    @Override
    public void watermark(long timestamp) throws Exception {
        fireUpTo(timestamp);
        super.watermark(timestamp);
    }
}
