package io.flinkgpu.operator.window;

import io.flinkgpu.groups.GroupBlock;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The groups of all spans that windows still need, and the windows made of them. A window's groups are
 * those of the spans within it, added where a key is in several. Task thread only.
 *
 * @param <S> the key in state
 */
final class WindowGroups<S> implements AutoCloseable {

    private final WindowShape shape;
    private final long latenessMillis;
    private final GroupTables tables;

    /** Gives a layer's groups, where they are not in memory. */
    private final RunStore<S> store;

    private final TreeMap<TimeWindow, Span<S>> spans =
            new TreeMap<>(
                    Comparator.comparingLong(TimeWindow::getStart)
                            .thenComparingLong(TimeWindow::getEnd));

    private final KeyBytes key = new KeyBytes();
    private Span<S> last;
    private GroupTable lastTable;
    private long watermark = Long.MIN_VALUE;
    private long nextEvent = Long.MAX_VALUE;

    WindowGroups(WindowShape shape, long latenessMillis, GroupTables tables, RunStore<S> store) {
        this.shape = shape;
        this.latenessMillis = latenessMillis;
        this.tables = tables;
        this.store = store;
    }

    /** Takes a group of a window that fires. */
    @FunctionalInterface
    interface Firing {

        /**
         * @param group to be read only, and now
         */
        void fire(TimeWindow window, GroupCursor group) throws Exception;
    }

    Iterable<Span<S>> spans() {
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
        }
        if (lastTable == null) {
            Layer<S> open = last.open();
            if (open == null) {
                open = new Layer<>(last.nextLayer(), Long.MIN_VALUE, tables.newTable());
                last.layers.add(open);
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
        tables.add(block, this::openTable);
    }

    private GroupTable openTable(long startMillis, long endMillis) {
        GroupTable table = table(startMillis, endMillis);
        if (lastMillisecond(last.windows.get(0)) <= watermark && !shape.isGlobal()) {
            throw new IllegalStateException(
                    "records that were aggregated before the shuffle came behind the watermark, and"
                            + " cannot be told apart again: start=%d, end=%d, watermark=%d;"
                                    .formatted(startMillis, endMillis, watermark)
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
            long cleanupTime = cleanupTime(windows.get(windows.size() - 1));
            span = new Span<>(startMillis, endMillis, windows, cleanupTime);
            spans.put(time, span);
            nextEvent = Math.min(nextEvent, nextEvent(span));
        }
        return span;
    }

    /** Of a slice its windows, the first that ends first; of a window the window itself. */
    private List<TimeWindow> windows(TimeWindow time) {
        boolean isSlice =
                shape.isGlobal() || time.getEnd() - time.getStart() == shape.sliceMillis();
        List<TimeWindow> windows =
                isSlice ? shape.windows(time.getStart(), time.getEnd()) : List.of();
        if (windows.isEmpty()) {
            return List.of(time);
        }
        List<TimeWindow> ascending = new ArrayList<>(windows);
        ascending.sort(Comparator.comparingLong(TimeWindow::getEnd));
        return ascending;
    }

    /** The watermark from which on a window takes no records any more. */
    long cleanupTime(TimeWindow window) {
        if (shape.isGlobal()) {
            return Long.MAX_VALUE;
        }
        long cleanupTime = window.maxTimestamp() + latenessMillis;
        return cleanupTime >= window.maxTimestamp() ? cleanupTime : Long.MAX_VALUE;
    }

    /** Fires the windows that a watermark has passed, those that end first first; forgets what no window needs. */
    void advance(long newWatermark, Firing firing) throws Exception {
        long before = watermark;
        watermark = Math.max(watermark, newWatermark);
        if (watermark < nextEvent || watermark == before) {
            return;
        }
        for (TimeWindow window : due(before)) {
            fire(window, firing);
        }
        nextEvent = Long.MAX_VALUE;
        last = null;
        for (Span<S> span : List.copyOf(spans.values())) {
            if (span.cleanupTime <= watermark && span.cleanupTime != Long.MAX_VALUE) {
                remove(span);
            } else {
                nextEvent = Math.min(nextEvent, nextEvent(span));
            }
        }
    }

    /** The watermark at which a span's next window fires, or it is not needed any more. */
    private long nextEvent(Span<S> span) {
        return shape.isGlobal()
                ? Long.MAX_VALUE
                : Math.min(span.nextFiring(watermark), span.cleanupTime);
    }

    private Iterable<TimeWindow> due(long before) {
        TreeSet<TimeWindow> due =
                new TreeSet<>(
                        Comparator.comparingLong(TimeWindow::getEnd)
                                .thenComparingLong(TimeWindow::getStart));
        for (Span<S> span : spans.values()) {
            for (TimeWindow window : span.windows) {
                long last = lastMillisecond(window);
                if (last <= watermark && (before == Long.MIN_VALUE || last > before)) {
                    due.add(window);
                }
            }
        }
        return due;
    }

    /** The watermark at which a window fires. */
    long lastMillisecond(TimeWindow window) {
        return shape.isGlobal() ? Long.MAX_VALUE : window.maxTimestamp();
    }

    private void fire(TimeWindow window, Firing firing) throws Exception {
        List<Layer<S>> fires = new ArrayList<>();
        List<Layer<S>> fired = new ArrayList<>();
        find(window, fires, fired);
        if (fires.isEmpty()) {
            return;
        }
        if (fires.stream().allMatch(Layer::isInMemory)
                && fired.stream().allMatch(Layer::isInMemory)) {
            fireFromMemory(window, fires, fired, firing);
        } else {
            fireByKeyGroup(window, fires, fired, firing);
        }
    }

    /** Layers of a window: those that fire, and those that it has fired with and still has. */
    private void find(TimeWindow window, List<Layer<S>> fires, List<Layer<S>> fired) {
        long lastMillisecond = lastMillisecond(window);
        for (Span<S> span : spans.values()) {
            if (span.isWithin(window)) {
                for (Layer<S> layer : span.layers) {
                    if (layer.isEmpty()) {
                        continue;
                    }
                    if (layer.firedUpTo < lastMillisecond) {
                        fires.add(layer);
                    } else if (isKept(window, layer.firedUpTo)) {
                        fired.add(layer);
                    }
                }
            }
        }
    }

    /** Whether a window that fired was kept for late records when the watermark was this. */
    boolean isKept(TimeWindow window, long watermarkThen) {
        long cleanupTime = cleanupTime(window);
        return cleanupTime == Long.MAX_VALUE || cleanupTime > watermarkThen;
    }

    private void fireFromMemory(
            TimeWindow window, List<Layer<S>> fires, List<Layer<S>> fired, Firing firing)
            throws Exception {
        if (fires.size() == 1 && fired.isEmpty()) {
            fireAll(window, fires.get(0).table(), firing);
            return;
        }
        try (GroupTable sum = tables.newTable()) {
            for (Layer<S> layer : fires) {
                addTo(sum, layer.table().cursor(), true);
            }
            for (Layer<S> layer : fired) {
                addTo(sum, layer.table().cursor(), false);
            }
            fireAll(window, sum, firing);
        }
    }

    /** Needs the memory of one key group's groups. */
    private void fireByKeyGroup(
            TimeWindow window, List<Layer<S>> fires, List<Layer<S>> fired, Firing firing)
            throws Exception {
        TreeSet<Integer> keyGroups = new TreeSet<>();
        for (Span<S> span : spans.values()) {
            for (Layer<S> layer : span.layers) {
                if (fires.contains(layer) || fired.contains(layer)) {
                    moveToState(span, layer);
                    layer.runs.forEach(run -> keyGroups.add(run.keyGroup()));
                }
            }
        }
        for (int keyGroup : keyGroups) {
            try (GroupTable sum = tables.newTable()) {
                for (Layer<S> layer : fires) {
                    addRuns(sum, layer, keyGroup, true);
                }
                for (Layer<S> layer : fired) {
                    addRuns(sum, layer, keyGroup, false);
                }
                fireAll(window, sum, firing);
            }
        }
    }

    private void addRuns(GroupTable sum, Layer<S> layer, int keyGroup, boolean makesGroups)
            throws Exception {
        try (GroupTable loaded = tables.newTable()) {
            store.load(layer, keyGroup, loaded);
            addTo(sum, loaded.cursor(), makesGroups);
        }
    }

    private void addTo(GroupTable sum, GroupCursor groups, boolean makesGroups) {
        while (groups.next()) {
            groups.key(key);
            int group =
                    makesGroups
                            ? sum.group(key.array(), 0, key.length(), groups.keyGroup())
                            : sum.find(key.array(), 0, key.length());
            if (group >= 0) {
                sum.merge(group, groups);
            }
        }
    }

    private static void fireAll(TimeWindow window, GroupTable table, Firing firing)
            throws Exception {
        GroupCursor groups = table.cursor();
        while (groups.next()) {
            firing.fire(window, groups);
        }
    }

    /** Fires a window that the watermark has passed for one key, which a late record was added to. */
    void fire(TimeWindow window, KeyBytes keyOf, int keyGroup, Firing firing) throws Exception {
        List<Layer<S>> fires = new ArrayList<>();
        List<Layer<S>> fired = new ArrayList<>();
        find(window, fires, fired);
        fires.addAll(fired);
        try (GroupTable sum = tables.newTable()) {
            int group = sum.group(keyOf.array(), 0, keyOf.length(), keyGroup);
            for (Layer<S> layer : fires) {
                if (layer.isInMemory()) {
                    addTo(sum, group, layer.table(), keyOf);
                } else {
                    try (GroupTable loaded = tables.newTable()) {
                        store.load(layer, keyGroup, loaded);
                        addTo(sum, group, loaded, keyOf);
                    }
                }
            }
            firing.fire(window, sum.cursor().move(group));
        }
    }

    private static void addTo(GroupTable sum, int group, GroupTable from, KeyBytes keyOf) {
        int found = from.find(keyOf.array(), 0, keyOf.length());
        if (found >= 0) {
            sum.merge(group, from.cursor().move(found));
        }
    }

    GroupTable newTable() {
        return tables.newTable();
    }

    long watermark() {
        return watermark;
    }

    /** Moves a layer's groups to state; what it is given later is another layer's. */
    void moveToState(Span<S> span, Layer<S> layer) throws Exception {
        if (layer.isInMemory()) {
            store.write(span, layer, layer.runs.isEmpty());
            layer.forget();
            lastTable = null;
        }
    }

    private void remove(Span<S> span) {
        for (Layer<S> layer : span.layers) {
            store.delete(layer);
            layer.forget();
        }
        spans.remove(new TimeWindow(span.startMillis, span.endMillis));
    }

    /** Gives all memory back; state stays. */
    @Override
    public void close() {
        for (Span<S> span : spans.values()) {
            span.layers.forEach(Layer::forget);
        }
        spans.clear();
    }
}
