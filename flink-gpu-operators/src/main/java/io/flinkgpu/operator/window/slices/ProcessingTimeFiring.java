package io.flinkgpu.operator.window.slices;

import io.flinkgpu.operator.window.FiringTimer;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

import java.util.List;
import java.util.Set;

/**
 * Records are in the windows that the clock is in when they come, and a window fires once, when the clock
 * passes its end. In batch execution, where clocks mean nothing, it is the end of the input. Task thread
 * only.
 *
 * <p>A clock can be set back: then records come for windows that have fired. As in Flink's operator, these
 * fire again, at once and without what they have fired with, as a layer that has fired is not added to.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class ProcessingTimeFiring<T, S> implements FiringRule<S, T> {

    private final WindowTables<T, ?, S, ?> tables;
    private final WindowGroups<S> groups;
    private final AssignedWindows<T> assigned;
    private final SliceCache slices;
    private final FiringTimer timer;
    private final boolean batchExecution;

    ProcessingTimeFiring(
            WindowShape shape,
            WindowTables<T, ?, S, ?> tables,
            AssignedWindows<T> assigned,
            ProcessingTimeService time,
            boolean batchExecution) {
        this.tables = tables;
        this.groups = tables.groups();
        this.assigned = assigned;
        this.slices = new SliceCache(shape);
        this.timer = new FiringTimer(time, this::onTime);
        this.batchExecution = batchExecution;
    }

    /** Windows that have ended since the snapshot fire at once. */
    @Override
    public void start() {
        arm();
    }

    @Override
    public void add(StreamRecord<WindowInput<S, T>> element) {
        long now = timer.now();
        slices.find(now);
        if (slices.threshold() == Long.MIN_VALUE) {
            // In a gap between windows, or so near to the ends of time that only the assigner
            // knows.
            for (TimeWindow window : assigned.of(element.getValue().record(), now)) {
                tables.add(window.getStart(), window.getEnd());
            }
        } else {
            tables.add(slices.startMillis(), slices.endMillis());
        }
        arm();
    }

    /** Means nothing to these windows. */
    @Override
    public void watermark(long timestamp) {}

    @Override
    public void finish() throws Exception {
        if (batchExecution) {
            fire(Long.MAX_VALUE);
        }
    }

    private void arm() {
        if (!batchExecution) {
            timer.at(groups.nextEvent());
        }
    }

    private void onTime(long time) throws Exception {
        tables.settle();
        fire(time);
        tables.updateMetrics();
        arm();
    }

    private void fire(long time) throws Exception {
        for (TimeWindow window : due(time)) {
            tables.sums().of(window, tables::emit);
        }
        groups.advance(time);
        long nextEvent = Long.MAX_VALUE;
        for (Span<S> span : List.copyOf(groups.spans())) {
            long firing = Long.MAX_VALUE;
            for (Layer<S> layer : span.layers) {
                if (span.firstWindow().maxTimestamp() <= time) {
                    layer.fired(time);
                }
                firing = Math.min(firing, span.nextFiring(layer.firedUpTo()));
            }
            if (firing == Long.MAX_VALUE) {
                groups.remove(span);
            }
            nextEvent = Math.min(nextEvent, firing);
        }
        groups.closeAll();
        groups.setNextEvent(nextEvent);
    }

    /** Windows of groups that have ended and have not fired with these. */
    private Iterable<TimeWindow> due(long time) {
        Set<TimeWindow> due = WindowGroups.inFiringOrder();
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                due.addAll(span.ended(layer.firedUpTo(), time));
            }
        }
        return due;
    }
}
