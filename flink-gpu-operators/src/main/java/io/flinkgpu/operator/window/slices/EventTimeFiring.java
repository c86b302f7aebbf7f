package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.List;
import java.util.Set;

/**
 * Windows fire when the watermark passes their end, and again with each record that is late for them and
 * not too late; the window of all time fires when the stream ends. Task thread only.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
final class EventTimeFiring<T, S> implements FiringRule<S, T> {

    private final WindowShape shape;
    private final WindowTables<T, ?, S, ?> tables;
    private final WindowGroups<S> groups;
    private final AssignedWindows<T> assigned;
    private final LateRecords<T> late;
    private final SliceCache slices;
    private long watermark = Long.MIN_VALUE;

    EventTimeFiring(
            WindowShape shape,
            WindowTables<T, ?, S, ?> tables,
            AssignedWindows<T> assigned,
            LateRecords<T> late) {
        this.shape = shape;
        this.tables = tables;
        this.groups = tables.groups();
        this.assigned = assigned;
        this.late = late;
        this.slices = new SliceCache(shape);
    }

    @Override
    public void add(StreamRecord<WindowInput<S, T>> element) throws Exception {
        slices.find(shape.isGlobal() ? 0 : element.getTimestamp());
        if (shape.isGlobal() || slices.threshold() > watermark) {
            tables.add(slices.startMillis(), slices.endMillis());
        } else {
            addLate(element);
        }
    }

    @Override
    public void add(GroupBlock block) throws Exception {
        groups.add(block);
    }

    /** Adds a record of which windows may have fired, and fires those that have and take it. */
    private void addLate(StreamRecord<WindowInput<S, T>> element) throws Exception {
        tables.metrics().slowRecord();
        T record = element.getValue().record();
        List<TimeWindow> open =
                assigned.of(record, element.getTimestamp()).stream()
                        .filter(window -> groups.cleanupTime(window) > watermark)
                        .toList();
        if (open.isEmpty()) {
            late.refused(element, watermark);
            return;
        }
        if (shape.windows(slices.startMillis(), slices.endMillis()).isEmpty()) {
            // So near to the ends of time that only the assigner knows the windows.
            for (TimeWindow window : open) {
                tables.add(window.getStart(), window.getEnd());
            }
        } else {
            tables.add(slices.startMillis(), slices.endMillis());
        }
        for (TimeWindow window : open) {
            if (window.maxTimestamp() <= watermark) {
                tables.sums().of(window, tables.key(), tables.keyGroup(), tables::emit);
            }
        }
    }

    /** Fires the windows that end first first, and forgets what no window needs. */
    @Override
    public void watermark(long timestamp) throws Exception {
        watermark = timestamp;
        long before = groups.firedUpTo();
        groups.advance(timestamp);
        if (timestamp < groups.nextEvent() || timestamp <= before) {
            return;
        }
        for (TimeWindow window : due(before)) {
            tables.sums().of(window, tables::emit);
        }
        long nextEvent = Long.MAX_VALUE;
        for (Span<S> span : List.copyOf(groups.spans())) {
            if (span.cleanupTime <= timestamp && span.cleanupTime != Long.MAX_VALUE) {
                groups.remove(span);
            } else if (!shape.isGlobal()) {
                long firing = span.nextFiring(timestamp);
                nextEvent = Math.min(nextEvent, Math.min(firing, span.cleanupTime));
            }
        }
        groups.setNextEvent(nextEvent);
    }

    private Iterable<TimeWindow> due(long before) {
        Set<TimeWindow> due = WindowGroups.inFiringOrder();
        for (Span<S> span : groups.spans()) {
            if (!shape.isGlobal()) {
                due.addAll(span.ended(before, watermark));
            } else if (watermark == Long.MAX_VALUE) {
                due.add(span.firstWindow());
            }
        }
        return due;
    }
}
