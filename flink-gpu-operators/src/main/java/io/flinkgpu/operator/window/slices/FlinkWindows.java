package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowStates;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes over what Flink's window operator, or an earlier version of ours, has left in state: a partial for
 * each key and window, and a timer for each of those that have not fired. Task thread only.
 *
 * @param <S> the key in state
 * @param <W> the window
 */
final class FlinkWindows<S, W extends Window> {

    private final KeyedStateBackend<S> backend;
    private final InternalAggregatingState<S, W, Partial, Partial, Partial> contents;
    private final InternalTimerService<W> timers;
    private final WindowShape shape;
    private final int values;

    /**
     * @param values how many the partials have
     */
    FlinkWindows(
            WindowShape shape,
            int values,
            KeyedStateBackend<S> backend,
            InternalAggregatingState<S, W, Partial, Partial, Partial> contents,
            InternalTimerService<W> timers) {
        this.shape = shape;
        this.values = values;
        this.backend = backend;
        this.contents = contents;
        this.timers = timers;
    }

    /** Moves all contents to tables. Timers stay; nothing is to be done when they fire. */
    void moveTo(WindowGroups<S> groups, RunStore<S> store, KeyCodec<S> codec) throws Exception {
        List<Tuple2<S, W>> entries;
        try (Stream<Tuple2<S, W>> all = backend.getKeysAndNamespaces(WindowStates.CONTENTS)) {
            entries = all.toList();
        }
        if (entries.isEmpty()) {
            return;
        }
        Set<Tuple2<S, W>> waiting = waiting();
        KeyBytes key = new KeyBytes();
        PartialSource source = new PartialSource(values);
        for (Tuple2<S, W> entry : entries) {
            backend.setCurrentKey(entry.f0);
            contents.setCurrentNamespace(entry.f1);
            Partial partial = contents.get();
            if (partial != null) {
                codec.write(entry.f0, key);
                // Windows of processing time are removed when they fire.
                boolean waits = shape.isProcessingTime() || waiting.contains(entry);
                long firedUpTo = waits ? Long.MIN_VALUE : entry.f1.maxTimestamp();
                GroupTable table = table(groups, entry.f1, firedUpTo);
                int group = table.group(key.array(), 0, key.length(), store.keyGroup(entry.f0));
                table.merge(group, source.open(partial));
                contents.clear();
            }
        }
    }

    /** The keys and windows that have a timer to fire at a watermark. */
    private Set<Tuple2<S, W>> waiting() throws Exception {
        Set<Tuple2<S, W>> waiting = new HashSet<>();
        timers.forEachEventTimeTimer(
                (window, time) -> {
                    if (time == window.maxTimestamp()) {
                        waiting.add(Tuple2.of(backend.getCurrentKey(), window));
                    }
                });
        return waiting;
    }

    private GroupTable table(WindowGroups<S> groups, W window, long firedUpTo) {
        boolean time = window instanceof TimeWindow;
        Span<S> span =
                groups.span(
                        time ? ((TimeWindow) window).getStart() : Long.MIN_VALUE,
                        time ? ((TimeWindow) window).getEnd() : Long.MAX_VALUE);
        for (Layer<S> layer : span.layers) {
            if (layer.isInMemory() && layer.firedUpTo() == firedUpTo) {
                return layer.table();
            }
        }
        Layer<S> layer = new Layer<>(span.nextLayer(), firedUpTo, groups.newTable());
        span.layers.add(layer);
        return layer.table();
    }
}
