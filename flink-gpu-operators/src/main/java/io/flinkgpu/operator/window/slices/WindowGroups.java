package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The groups of all spans that windows still need; {@link WindowSums} adds up windows of them. Task thread
 * only.
 *
 * @param <S> the key in state
 */
final class WindowGroups<S> implements AutoCloseable {

    private final WindowShape shape;
    private final long latenessMillis;
    private final GroupTables tables;
    private final SliceSums<S> sliceSums;

    /** Gives a layer's groups, where they are not in memory. */
    private final RunStore<S> store;

    private final TreeMap<TimeWindow, Span<S>> spans =
            new TreeMap<>(
                    Comparator.comparingLong(TimeWindow::getStart)
                            .thenComparingLong(TimeWindow::getEnd));

    private Span<S> last;
    private GroupTable lastTable;
    private long firedUpTo = Long.MIN_VALUE;
    private long nextEvent = Long.MAX_VALUE;

    /**
     * @param latenessMillis of windows in event time; others have none
     */
    WindowGroups(WindowShape shape, long latenessMillis, GroupTables tables, RunStore<S> store) {
        this.shape = shape;
        this.latenessMillis = shape.isEventTime() ? latenessMillis : 0;
        this.tables = tables;
        this.sliceSums = new SliceSums<>(shape, tables);
        this.store = store;
    }

    /** Sums of the slices, to be asked when no record is being added. */
    SliceSums<S> sliceSums() {
        last = null;
        return sliceSums;
    }

    /** No windows, in the order in which they fire: the first that ends first. */
    static SortedSet<TimeWindow> inFiringOrder() {
        return new TreeSet<>(
                Comparator.comparingLong(TimeWindow::getEnd)
                        .thenComparingLong(TimeWindow::getStart));
    }

    Collection<Span<S>> spans() {
        return spans.values();
    }

    /** How many groups are in memory. */
    long groups() {
        long groups = 0;
        for (Span<S> span : spans.values()) {
            for (Layer<S> layer : span.layers) {
                groups += layer.isInMemory() ? layer.table().size() : 0;
            }
        }
        return groups;
    }

    /** The table that records of a span are added to. */
    GroupTable table(long startMillis, long endMillis) {
        if (last == null || last.startMillis != startMillis || last.endMillis != endMillis) {
            last = span(startMillis, endMillis);
            lastTable = null;
            sliceSums.changes(last);
        }
        if (lastTable == null) {
            Layer<S> open = last.open();
            if (open == null) {
                open = new Layer<>(last.nextLayer(), Long.MIN_VALUE, tables.newTable());
                last.layers.add(open);
                expect(last);
            }
            lastTable = open.table();
        }
        return lastTable;
    }

    /**
     * Adds the records of a block.
     *
     * @throws IllegalStateException if some are late: their windows may have been without them
     */
    void add(GroupBlock block) throws Exception {
        add(block, (table, group) -> {});
    }

    /**
     * Adds the records of a block, likewise.
     *
     * @param added is given each group that a record was added to; the tables have to stay
     */
    void add(GroupBlock block, GroupTables.AddedTo added) throws Exception {
        tables.add(block, this::openTable, added);
    }

    private GroupTable openTable(long startMillis, long endMillis) {
        GroupTable table = table(startMillis, endMillis);
        if (lastMillisecond(last.firstWindow()) <= firedUpTo && !shape.isGlobal()) {
            throw new IllegalStateException(
                    "records that were aggregated before the shuffle came behind the watermark, and"
                            + " cannot be told apart again: start=%d, end=%d, watermark=%d;"
                                    .formatted(startMillis, endMillis, firedUpTo)
                            + " use localAggregation(false)");
        }
        return table;
    }

    /** The span of some time, which is made if there is none. */
    Span<S> span(long startMillis, long endMillis) {
        TimeWindow time = new TimeWindow(startMillis, endMillis);
        Span<S> span = spans.get(time);
        if (span == null) {
            List<TimeWindow> windows = windows(time);
            long cleanupTime = cleanupTime(windows.get(0));
            span = new Span<>(startMillis, endMillis, windows, cleanupTime);
            spans.put(time, span);
            expect(span);
        }
        return span;
    }

    private void expect(Span<S> span) {
        nextEvent = Math.min(nextEvent, lastMillisecond(span.firstWindow()));
    }

    /** Of a slice its windows, the latest first; of a window the window itself. */
    private List<TimeWindow> windows(TimeWindow time) {
        boolean isSlice =
                shape.isGlobal() || time.getEnd() - time.getStart() == shape.sliceMillis();
        List<TimeWindow> windows =
                isSlice ? shape.windows(time.getStart(), time.getEnd()) : List.of();
        return windows.isEmpty() ? List.of(time) : windows;
    }

    /** The time from which on a window takes no records any more. */
    long cleanupTime(TimeWindow window) {
        if (shape.isGlobal()) {
            return Long.MAX_VALUE;
        }
        long cleanupTime = window.maxTimestamp() + latenessMillis;
        return cleanupTime >= window.maxTimestamp() ? cleanupTime : Long.MAX_VALUE;
    }

    /**
     * When a window fires next, or a span is not needed any more: not before that time. A span that is made
     * or is added to brings it forward.
     */
    long nextEvent() {
        return nextEvent;
    }

    /** Sets what {@link #nextEvent()} is, with no regard to spans that are made from now on. */
    void setNextEvent(long time) {
        nextEvent = time;
    }

    /** The watermark, or the time of the clock, up to which windows have fired. */
    long firedUpTo() {
        return firedUpTo;
    }

    /** Says that windows have fired up to this time, or are about to; never goes back. */
    void advance(long time) {
        firedUpTo = Math.max(firedUpTo, time);
    }

    /** Whether windows fire by the clock, each at its own time, so that layers say with what. */
    boolean firesByClock() {
        return shape.isProcessingTime();
    }

    /** The watermark, or the time of the clock, at which a window fires. */
    long lastMillisecond(TimeWindow window) {
        return shape.isGlobal() ? Long.MAX_VALUE : window.maxTimestamp();
    }

    /** Whether a window that fired was kept for late records when the watermark was this. */
    boolean isKept(TimeWindow window, long watermarkThen) {
        long cleanupTime = cleanupTime(window);
        return cleanupTime == Long.MAX_VALUE || cleanupTime > watermarkThen;
    }

    GroupTable newTable() {
        return tables.newTable();
    }

    /** Moves a layer's groups to state; what it is given later is another layer's. */
    void moveToState(Span<S> span, Layer<S> layer) throws Exception {
        if (layer.isInMemory()) {
            sliceSums.changes(span);
            store.write(span, layer, layer.isStored() ? 1 : 0);
            layer.forget();
            lastTable = null;
        }
    }

    /** Makes one layer of all layers of each span, as far as they are not one. They are in memory. */
    void unite() {
        for (Span<S> span : spans.values()) {
            if (span.layers.size() > 1 || span.open() == null) {
                keep(span, group -> true);
            }
        }
    }

    /** Makes one layer of some groups of a span, all of which are in memory; forgets the others. */
    void keep(Span<S> span, Predicate<GroupCursor> kept) {
        sliceSums.changes(span);
        KeyBytes key = new KeyBytes();
        Layer<S> united = new Layer<>(span.nextLayer(), Long.MIN_VALUE, tables.newTable());
        for (Layer<S> layer : span.layers) {
            GroupCursor group = layer.table().cursor();
            while (group.next()) {
                if (kept.test(group)) {
                    group.key(key);
                    int to = united.table().group(key.array(), 0, key.length(), group.keyGroup());
                    united.table().merge(to, group);
                }
            }
            store.delete(layer);
            layer.forget();
        }
        span.layers.clear();
        span.layers.add(united);
        closeAll();
    }

    /** Forgets a span, also in state. */
    void remove(Span<S> span) {
        sliceSums.changes(span);
        for (Layer<S> layer : span.layers) {
            store.delete(layer);
            layer.forget();
        }
        spans.remove(new TimeWindow(span.startMillis, span.endMillis));
        closeAll();
    }

    /** Lets the next record find its table anew, as the layers that were added to may be no more. */
    void closeAll() {
        last = null;
    }

    /** Gives all memory back; state stays. */
    @Override
    public void close() {
        sliceSums.close();
        for (Span<S> span : spans.values()) {
            span.layers.forEach(Layer::forget);
        }
        spans.clear();
    }
}
