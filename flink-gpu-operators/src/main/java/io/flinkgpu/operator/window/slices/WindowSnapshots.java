package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Brings the groups of windows into Flink's keyed state before a snapshot of it, and back after a
 * restore. Where state is on the heap, all groups are written and taken out again after the snapshot,
 * which has them; elsewhere those that changed are, in {@link RunStore tiers}, and a layer is written anew when its
 * runs hold twice its groups. Task thread only.
 *
 * @param <S> the key in state
 */
final class WindowSnapshots<S> {

    /** A layer of less is not worth writing anew. */
    private static final int FEW_GROUPS = 1024;

    private final WindowGroups<S> groups;
    private final RunStore<S> store;
    private boolean hasWritten;

    WindowSnapshots(WindowGroups<S> groups, RunStore<S> store) {
        this.groups = groups;
        this.store = store;
    }

    /** Brings state up to date. */
    void write() throws Exception {
        settle();
        store.tidy();
        TreeMap<Integer, DataOutputSerializer> summaries = new TreeMap<>();
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                if (layer.isInMemory()) {
                    write(span, layer);
                }
                summarize(span, layer, summaries);
            }
        }
        for (Map.Entry<Integer, DataOutputSerializer> summary : summaries.entrySet()) {
            store.putSummary(summary.getKey(), summary.getValue().getCopyOfBuffer());
        }
        hasWritten = store.isOnHeap();
    }

    private void write(Span<S> span, Layer<S> layer) throws Exception {
        long most = 2L * layer.table().size() + FEW_GROUPS;
        boolean all = !layer.isStored() || layer.storedGroups() + layer.table().changed() > most;
        if (all || layer.table().changed() > 0) {
            store.write(span, layer, all ? 0 : layer.nextTier(store.tiers()));
        }
    }

    /** Whether {@link #settle()} has something to do. */
    boolean isUnsettled() {
        return hasWritten;
    }

    /**
     * Called before anything changes after a snapshot: takes out of the heap what is in memory. Changes the
     * current key.
     */
    void settle() {
        if (!hasWritten) {
            return;
        }
        hasWritten = false;
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                if (layer.isInMemory()) {
                    store.delete(layer);
                }
            }
        }
    }

    /**
     * Loads what is in state.
     *
     * @param isFull whether no more is to be loaded into memory; the rest stays in state
     */
    void restore(BooleanSupplier isFull) throws Exception {
        Map<Integer, Summary> summaries = new HashMap<>();
        for (Map.Entry<Integer, byte[]> entry : store.summaries().entrySet()) {
            summaries.put(entry.getKey(), Summary.read(entry.getValue()));
        }
        for (StoredRun<S> run : store.stored()) {
            Span<S> span = groups.span(run.id().startMillis(), run.id().endMillis());
            Summary summary = summaries.get(run.keyGroup());
            layer(span, run.id().layer(), summary.firedUpTo(span, run.id().layer(), groups))
                    .add(run);
        }
        for (Span<S> span : groups.spans()) {
            for (Layer<S> layer : span.layers) {
                load(layer, isFull.getAsBoolean());
            }
        }
    }

    private void load(Layer<S> layer, boolean isFull) throws Exception {
        if (isFull) {
            layer.forget();
            return;
        }
        store.load(layer);
        if (store.isOnHeap()) {
            store.delete(layer);
        } else {
            layer.table().clearChanged(GroupTable.TIERS);
        }
    }

    private Layer<S> layer(Span<S> span, int id, long firedUpTo) {
        for (Layer<S> layer : span.layers) {
            if (layer.id == id && layer.firedUpTo() == firedUpTo) {
                return layer;
            }
        }
        Layer<S> layer = new Layer<>(id, firedUpTo, groups.newTable());
        span.layers.add(layer);
        return layer;
    }

    /**
     * Adds to the summaries of the key groups that a layer has runs of: up to where windows have fired, and
     * which layers, if they have fired up to another time.
     */
    private void summarize(
            Span<S> span, Layer<S> layer, Map<Integer, DataOutputSerializer> summaries)
            throws IOException {
        for (int keyGroup : layer.keyGroups()) {
            DataOutputSerializer summary = summaries.get(keyGroup);
            if (summary == null) {
                summary = new DataOutputSerializer(64);
                summary.writeLong(groups.firedUpTo());
                summaries.put(keyGroup, summary);
            }
            if (layer.firedUpTo() != Long.MIN_VALUE) {
                summary.writeLong(span.startMillis);
                summary.writeLong(span.endMillis);
                summary.writeInt(layer.id);
                summary.writeLong(layer.firedUpTo());
            }
        }
    }

    /** What a key group's summary says. */
    private record Summary(long firedUpTo, Map<FiredLayer, Long> fired) {

        static Summary read(byte[] bytes) throws IOException {
            DataInputDeserializer source = new DataInputDeserializer(bytes);
            long firedUpTo = source.readLong();
            Map<FiredLayer, Long> fired = new HashMap<>();
            while (source.available() > 0) {
                TimeWindow span = new TimeWindow(source.readLong(), source.readLong());
                fired.put(new FiredLayer(span, source.readInt()), source.readLong());
            }
            return new Summary(firedUpTo, fired);
        }

        long firedUpTo(Span<?> span, int layer, WindowGroups<?> groups) {
            Long before =
                    fired.get(
                            new FiredLayer(
                                    new TimeWindow(span.startMillis, span.endMillis), layer));
            boolean hasFired =
                    !groups.firesByClock()
                            && groups.lastMillisecond(span.firstWindow()) <= firedUpTo;
            long now = hasFired ? firedUpTo : Long.MIN_VALUE;
            return before == null ? now : Math.max(before, now);
        }
    }

    private record FiredLayer(TimeWindow span, int layer) {}
}
