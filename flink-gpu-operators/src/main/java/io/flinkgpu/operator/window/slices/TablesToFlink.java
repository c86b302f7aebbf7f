package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.PartialReceiver;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.List;

/**
 * Turns what {@link SlicedWindowOperator} has left in state into the contents and timers that Flink's
 * window operator has. Task thread only.
 *
 * @param <S> the key in state
 */
@Internal
public final class TablesToFlink<S> {

    private final KeyedStateBackend<S> backend;
    private final KeyCodec<S> codec;
    private final WindowPlan<?, ?, S, ?> plan;
    private final int keyGroups;

    /**
     * @param codec becomes this object's own
     * @param keyGroups how many the operator has, those of other subtasks included
     */
    public TablesToFlink(
            KeyedStateBackend<S> backend,
            KeyCodec<S> codec,
            WindowPlan<?, ?, S, ?> plan,
            int keyGroups) {
        this.backend = backend;
        this.codec = codec;
        this.plan = plan;
        this.keyGroups = keyGroups;
    }

    /** Moves all groups to windows. Needs the memory of all of them. */
    public void moveTo(PartialReceiver windows) throws Exception {
        List<ValueSpec> specs = plan.aggregates().specs();
        RunStore<S> store = new RunStore<>(backend, codec, keyGroups, specs);
        try (BufferAllocator allocator = new RootAllocator();
                WindowGroups<S> groups =
                        new WindowGroups<>(
                                plan.shape(),
                                plan.latenessMillis(),
                                new GroupTables(allocator, specs),
                                store)) {
            new WindowSnapshots<>(groups, store).restore(() -> false);
            for (Span<S> span : groups.spans()) {
                for (Layer<S> layer : span.layers) {
                    move(groups, span, layer, windows, specs);
                    store.delete(layer);
                }
            }
            store.deleteSummaries();
        }
    }

    private void move(
            WindowGroups<S> groups,
            Span<S> span,
            Layer<S> layer,
            PartialReceiver windows,
            List<ValueSpec> specs)
            throws Exception {
        KeyBytes key = new KeyBytes();
        GroupCursor group = layer.table().cursor();
        while (group.next()) {
            group.key(key);
            backend.setCurrentKey(codec.read(key.array(), 0, key.length()));
            Partial partial = new Partial(specs);
            PartialSource.add(group, specs.size(), partial);
            for (TimeWindow window : span.windows()) {
                boolean fired = layer.firedUpTo() >= groups.lastMillisecond(window);
                if (!fired || groups.isKept(window, layer.firedUpTo())) {
                    windows.receive(window, partial, fired);
                }
            }
        }
    }
}
