package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.operator.window.SliceCache;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Windows that fire again and again, for each key from the first multiple of the interval after its first
 * record came: what Flink's two continuous triggers have in common. A span is a whole window here. Its rows
 * have one more column, of which the extremes are the time at which the key fires next, and the count is
 * one more than that of the records since the window was emptied. All groups are in memory. Task thread
 * only.
 *
 * <p>In the window of all time, the watermark that ends the stream fires each key once; Flink's operator
 * would go on through all multiples up to the end of time.
 *
 * @param <T> the record
 * @param <S> the key in state
 */
abstract class ContinuousFiring<T, S> implements FiringRule<S, T> {

    /** A key that has fired at the end of its window. */
    static final long FIRED = Long.MIN_VALUE;

    /** A key that came when its window had ended. */
    static final long NEVER = Long.MIN_VALUE + 1;

    final WindowTables<T, ?, S, ?> tables;
    final WindowGroups<S> groups;

    /** The column after the values. */
    final int times;

    private final WindowTrigger trigger;
    private final WindowShape shape;
    private final AssignedWindows<T> assigned;
    private final LateRecords<T> late;
    private final List<TimeWindow> allTime =
            List.of(new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE));

    private final SliceCache slices;

    /** The windows of the slice that was found last; null if none was. */
    private List<TimeWindow> ofSlice;

    private long sliceStart;

    /** When a key of a span fires next. */
    private final Map<Span<S>, Long> next = new HashMap<>();

    private long watermark = Long.MIN_VALUE;

    ContinuousFiring(
            WindowPlan<T, ?, S, ?> plan,
            WindowTables<T, ?, S, ?> tables,
            AssignedWindows<T> assigned,
            LateRecords<T> late) {
        this.trigger = plan.trigger();
        this.shape = plan.shape();
        this.tables = tables;
        this.groups = tables.groups();
        this.slices = new SliceCache(shape);
        this.assigned = assigned;
        this.late = late;
        this.times = plan.aggregates().specs().size();
    }

    /**
     * When a key fires next that a record was added to.
     *
     * @param last the window's last millisecond
     * @param before when it would have fired next; {@link #NEVER} if it is new
     */
    abstract long afterRecord(long timestamp, long last, long before);

    /** Whether a record makes a window fire at once that the watermark has passed. */
    abstract boolean firesLate();

    /** Called when a key is to fire at a time. */
    void expected(long time) {}

    @Override
    public void start() throws Exception {
        groups.unite();
        for (Span<S> span : groups.spans()) {
            GroupCursor group = span.layers.get(0).table().cursor();
            while (group.next()) {
                expect(span, group.min(times));
            }
        }
    }

    /** The first multiple of the interval after a time, as Flink's triggers round it. */
    final long firstAfter(long time, long last) {
        return Math.min(time - time % trigger.every() + trigger.every(), last);
    }

    /** When the first key fires; {@code Long.MAX_VALUE} if none does before the end of time. */
    final long nextFiring() {
        return next.values().stream().mapToLong(time -> time).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public void add(StreamRecord<WindowInput<S, T>> element) throws Exception {
        boolean taken = false;
        for (TimeWindow window : windows(element)) {
            if (shape.isGlobal() || groups.cleanupTime(window) > watermark) {
                addTo(window, element.getTimestamp());
                taken = true;
            }
        }
        if (!taken && !shape.isGlobal()) {
            late.refused(element, watermark);
        }
    }

    private Collection<TimeWindow> windows(StreamRecord<WindowInput<S, T>> element) {
        if (shape.isGlobal()) {
            return allTime;
        }
        slices.find(element.getTimestamp());
        if (slices.threshold() == Long.MIN_VALUE) {
            // In a gap between windows, or so near to the ends of time that only the assigner
            // knows.
            return assigned.of(element.getValue().record(), element.getTimestamp());
        }
        if (ofSlice == null || sliceStart != slices.startMillis()) {
            sliceStart = slices.startMillis();
            ofSlice = List.copyOf(shape.windows(sliceStart, slices.endMillis()));
        }
        return ofSlice;
    }

    private void addTo(TimeWindow window, long timestamp) throws Exception {
        GroupTable table = groups.table(window.getStart(), window.getEnd());
        int size = table.size();
        int group = tables.group(table);
        if (table.size() > size) {
            table.add(group, times, NEVER);
        }
        long before = table.min(group, times);
        tables.addTo(table, group);
        table.setExtremes(group, times, before);
        long last = groups.lastMillisecond(window);
        if (firesLate() && last <= watermark) {
            fire(window, table, table.cursor().move(group), group);
            return;
        }
        long time = afterRecord(timestamp, last, before);
        if (time != before) {
            table.setExtremes(group, times, time);
            expect(groups.span(window.getStart(), window.getEnd()), time);
        }
    }

    private void expect(Span<S> span, long time) {
        if (time != FIRED && time != NEVER) {
            next.merge(span, time, Math::min);
            expected(time);
        }
    }

    /** Fires keys whose time has come, each as often as it has. */
    final void fireUpTo(long time) throws Exception {
        for (Span<S> span : List.copyOf(groups.spans())) {
            Long first = next.get(span);
            if (first != null && first <= time) {
                next.remove(span);
                fireUpTo(time, span);
            }
        }
    }

    private void fireUpTo(long time, Span<S> span) throws Exception {
        TimeWindow window = span.firstWindow();
        long last = groups.lastMillisecond(window);
        GroupTable table = span.layers.get(0).table();
        GroupCursor group = table.cursor();
        while (group.next()) {
            int number = group.group();
            long before = table.min(number, times);
            long at = before;
            while (at <= time && at != FIRED && at != NEVER) {
                fire(window, table, group, number);
                boolean ends = at == last || time == Long.MAX_VALUE && shape.isGlobal();
                at = ends ? FIRED : Math.min(at + trigger.every(), last);
            }
            if (at != before) {
                table.setExtremes(number, times, at);
            }
            expect(span, at);
        }
    }

    private void fire(TimeWindow window, GroupTable table, GroupCursor group, int number)
            throws Exception {
        if (table.count(number, times) == 1) {
            return;
        }
        tables.emit(window, group);
        if (trigger.purges()) {
            long at = table.min(number, times);
            table.reset(number);
            table.add(number, times, at);
        }
    }

    /** Forgets windows that the watermark has closed. */
    @Override
    public void watermark(long timestamp) throws Exception {
        watermark = timestamp;
        for (Span<S> span : List.copyOf(groups.spans())) {
            if (span.cleanupTime <= timestamp && span.cleanupTime != Long.MAX_VALUE) {
                next.remove(span);
                groups.remove(span);
            }
        }
    }

    @Override
    public void memoryIsFull() {
        tables.failForMemory();
    }
}
