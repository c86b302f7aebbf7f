package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.WindowReceiver;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Adds up windows: a window's groups are those of the spans within it, added where a key is in several.
 * Layers of a span that are in state are added up for good. Task thread only.
 *
 * @param <S> the key in state
 */
final class WindowSums<S> {

    private final WindowGroups<S> groups;

    /** Gives a layer's groups, where they are not in memory. */
    private final RunStore<S> store;

    private final KeyBytes key = new KeyBytes();

    WindowSums(WindowGroups<S> groups, RunStore<S> store) {
        this.groups = groups;
        this.store = store;
    }

    /** Gives the groups of a window, in the order in which their keys came. */
    void of(TimeWindow window, WindowReceiver receiver) throws Exception {
        List<Layer<S>> fires = new ArrayList<>();
        List<Layer<S>> fired = new ArrayList<>();
        List<Span<S>> spans =
                groups.spans().stream().filter(span -> span.isWithin(window)).toList();
        find(window, spans, fires, fired);
        if (fires.isEmpty()) {
            return;
        }
        if (fires.stream().allMatch(Layer::isInMemory)
                && fired.stream().allMatch(Layer::isInMemory)) {
            addInMemory(window, spans, fires, fired, receiver);
        } else {
            addByKeyGroup(window, fires, fired, receiver);
        }
    }

    /** Layers of a window: those that fire, and those that it has fired with and still has. */
    private void find(
            TimeWindow window, List<Span<S>> spans, List<Layer<S>> fires, List<Layer<S>> fired) {
        long lastMillisecond = groups.lastMillisecond(window);
        for (Span<S> span : spans) {
            for (Layer<S> layer : span.layers) {
                if (layer.isEmpty()) {
                    continue;
                }
                if (layer.firedUpTo() < lastMillisecond) {
                    fires.add(layer);
                } else if (groups.isKept(window, layer.firedUpTo())) {
                    fired.add(layer);
                }
            }
        }
    }

    private void addInMemory(
            TimeWindow window,
            List<Span<S>> spans,
            List<Layer<S>> fires,
            List<Layer<S>> fired,
            WindowReceiver receiver)
            throws Exception {
        if (fires.size() == 1 && fired.isEmpty()) {
            giveAll(window, fires.get(0).table(), receiver);
            return;
        }
        try (GroupTable sum = groups.newTable()) {
            if (fires.size() == spans.stream().mapToInt(Span::groupLayers).sum()) {
                groups.sliceSums().add(spans, window.getStart(), sum);
            } else {
                for (Layer<S> layer : fires) {
                    addTo(sum, layer.table().cursor(), key, true);
                }
                for (Layer<S> layer : fired) {
                    addTo(sum, layer.table().cursor(), key, false);
                }
            }
            giveAll(window, sum, receiver);
        }
    }

    /** Needs the memory of one key group's groups. */
    private void addByKeyGroup(
            TimeWindow window, List<Layer<S>> fires, List<Layer<S>> fired, WindowReceiver receiver)
            throws Exception {
        TreeSet<Integer> keyGroups = new TreeSet<>();
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                if (fires.contains(layer) || fired.contains(layer)) {
                    groups.moveToState(span, layer);
                    keyGroups.addAll(layer.keyGroups());
                }
            }
        }
        for (int keyGroup : keyGroups) {
            try (GroupTable sum = groups.newTable()) {
                for (Layer<S> layer : fires) {
                    addRuns(sum, layer, keyGroup, true);
                }
                for (Layer<S> layer : fired) {
                    addRuns(sum, layer, keyGroup, false);
                }
                giveAll(window, sum, receiver);
            }
        }
    }

    private void addRuns(GroupTable sum, Layer<S> layer, int keyGroup, boolean makesGroups)
            throws Exception {
        try (GroupTable loaded = groups.newTable()) {
            store.load(layer, keyGroup, loaded);
            addTo(sum, loaded.cursor(), key, makesGroups);
        }
    }

    /**
     * Adds groups to those of their keys.
     *
     * @param key is overwritten
     * @param makesGroups whether keys that are not there become groups, or are left out
     */
    static void addTo(GroupTable sum, GroupCursor cursor, KeyBytes key, boolean makesGroups) {
        while (cursor.next()) {
            cursor.key(key);
            int group =
                    makesGroups
                            ? sum.group(key.array(), 0, key.length(), cursor.keyGroup())
                            : sum.find(key.array(), 0, key.length());
            if (group >= 0) {
                sum.merge(group, cursor);
            }
        }
    }

    /** Adds a group of no values for each key of a table that was added to since it was emitted. */
    static void addKeys(GroupTable keys, GroupTable of) {
        KeyBytes key = new KeyBytes();
        GroupCursor cursor = of.cursor();
        while (of.unemitted() > 0 && cursor.next()) {
            if (cursor.isUnemitted()) {
                cursor.key(key);
                keys.group(key.array(), 0, key.length(), cursor.keyGroup());
            }
        }
    }

    /**
     * Gives the groups that some keys have in the window of all time.
     *
     * @param keys groups of no values, which are added to
     */
    void ofKeys(TimeWindow allTime, GroupTable keys, WindowReceiver receiver) throws Exception {
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                if (layer.isInMemory()) {
                    addTo(keys, layer.table().cursor(), key, false);
                } else {
                    for (int keyGroup : layer.keyGroups()) {
                        addRuns(keys, layer, keyGroup, false);
                    }
                }
            }
        }
        giveAll(allTime, keys, receiver);
    }

    /**
     * Merges the latest of a span's layers in state with those before that have at most twice their groups,
     * so that state grows with keys and not with records. Needs the memory of one key group's groups.
     */
    void mergeStored(Span<S> span) throws Exception {
        List<Layer<S>> merged = alike(span);
        if (merged.size() < 2) {
            return;
        }
        TreeSet<Integer> keyGroups = new TreeSet<>();
        merged.forEach(layer -> keyGroups.addAll(layer.keyGroups()));
        Layer<S> all = new Layer<>(span.nextLayer(), Long.MIN_VALUE, null);
        for (int keyGroup : keyGroups) {
            try (GroupTable sum = groups.newTable()) {
                for (Layer<S> layer : merged) {
                    addRuns(sum, layer, keyGroup, true);
                }
                store.write(span, all, sum);
            }
        }
        int at = span.layers.indexOf(merged.get(merged.size() - 1));
        merged.forEach(store::delete);
        span.layers.removeAll(merged);
        span.layers.add(at, all);
    }

    /** The latest of the layers that are in state alone and have not fired, the latest first. */
    private static <S> List<Layer<S>> alike(Span<S> span) {
        List<Layer<S>> alike = new ArrayList<>();
        long groups = 0;
        for (int i = span.layers.size() - 1; i >= 0; i--) {
            Layer<S> layer = span.layers.get(i);
            if (!layer.isInMemory() && layer.firedUpTo() == Long.MIN_VALUE) {
                if (!alike.isEmpty() && layer.storedGroups() > 2 * groups) {
                    break;
                }
                alike.add(layer);
                groups += layer.storedGroups();
            }
        }
        return alike;
    }

    private static void giveAll(TimeWindow window, GroupTable table, WindowReceiver receiver)
            throws Exception {
        GroupCursor cursor = table.cursor();
        while (cursor.next()) {
            receiver.receive(window, cursor);
        }
    }

    /** Gives the group that one key has in a window, with that of layers which the window has fired with. */
    void of(TimeWindow window, KeyBytes keyOf, int keyGroup, WindowReceiver receiver)
            throws Exception {
        List<Layer<S>> fires = new ArrayList<>();
        List<Layer<S>> fired = new ArrayList<>();
        List<Span<S>> spans =
                groups.spans().stream().filter(span -> span.isWithin(window)).toList();
        find(window, spans, fires, fired);
        fires.addAll(fired);
        try (GroupTable sum = groups.newTable()) {
            int group = sum.group(keyOf.array(), 0, keyOf.length(), keyGroup);
            for (Layer<S> layer : fires) {
                if (layer.isInMemory()) {
                    addTo(sum, group, layer.table(), keyOf);
                } else {
                    try (GroupTable loaded = groups.newTable()) {
                        store.load(layer, keyGroup, loaded);
                        addTo(sum, group, loaded, keyOf);
                    }
                }
            }
            receiver.receive(window, sum.cursor().move(group));
        }
    }

    private static void addTo(GroupTable sum, int group, GroupTable from, KeyBytes keyOf) {
        int found = from.find(keyOf.array(), 0, keyOf.length());
        if (found >= 0) {
            sum.merge(group, from.cursor().move(found));
        }
    }
}
