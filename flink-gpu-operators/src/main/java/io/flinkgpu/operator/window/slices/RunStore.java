package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.state.GroupRun;
import io.flinkgpu.state.GroupRunSerializer;
import io.flinkgpu.state.Partial;
import io.flinkgpu.state.PartialSerializer;
import io.flinkgpu.state.RunId;
import io.flinkgpu.state.RunReader;
import io.flinkgpu.state.RunWriter;

import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalValueState;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Layers in Flink's keyed state: the groups of a key group as runs of bytes, under one key of theirs, which
 * makes them move with the key group, in {@link RunTiers tiers}. Changes the current key. Task thread only.
 *
 * @param <S> the key in state
 */
final class RunStore<S> {

    private static final String SUMMARIES = "window-groups-summary";

    /** A run is cut here, so that an array stays small. */
    private static final int FULL_BYTES = 1 << 16;

    private final KeyedStateBackend<S> backend;
    private final int keyGroups;
    private final KeyCodec<S> codec;
    private final RunTiers<S> tiers;
    private final InternalValueState<S, VoidNamespace, byte[]> summaries;
    private final int values;
    private final Partial none;
    private final RunWriter[] writers;
    private final PartialSerializer format;
    private final RunReader reader = new RunReader();
    private final PartialSource source;
    private final KeyBytes key = new KeyBytes();

    private long written;

    /** For each key group the key that its runs are kept under. */
    private final Map<Integer, S> carriers = new HashMap<>();

    /**
     * @param codec becomes the store's own
     * @param keyGroups how many the operator has, those of other subtasks included
     */
    @SuppressWarnings("unchecked") // Every backend's value state is an internal one.
    RunStore(KeyedStateBackend<S> backend, KeyCodec<S> codec, int keyGroups, List<ValueSpec> specs)
            throws Exception {
        this.backend = backend;
        this.codec = codec;
        this.keyGroups = keyGroups;
        this.values = specs.size();
        this.none = new Partial(specs);
        this.format = new PartialSerializer(specs);
        this.writers = new RunWriter[keyGroups];
        this.source = new PartialSource(values);
        this.tiers = new RunTiers<>(backend, new GroupRunSerializer(format));
        this.summaries =
                (InternalValueState<S, VoidNamespace, byte[]>)
                        backend.getOrCreateKeyedState(
                                VoidNamespaceSerializer.INSTANCE,
                                new ValueStateDescriptor<>(
                                        SUMMARIES, BytePrimitiveArraySerializer.INSTANCE));
        this.summaries.setCurrentNamespace(VoidNamespace.INSTANCE);
    }

    /** How many tiers are to be written besides that of all groups. */
    int tiers() {
        return tiers.changes();
    }

    /** How many groups were written so far. */
    long written() {
        return written;
    }

    /** Whether state is on the heap, where each checkpoint writes all of it. */
    boolean isOnHeap() {
        return tiers.isOnHeap();
    }

    /** The runs in state, ordered by their ids. */
    List<StoredRun<S>> stored() throws Exception {
        List<StoredRun<S>> runs = new ArrayList<>();
        tiers.forEach(
                (carrier, tier, id) -> {
                    int keyGroup = keyGroup(carrier);
                    carriers.putIfAbsent(keyGroup, carrier);
                    runs.add(new StoredRun<>(carrier, keyGroup, tier, id));
                });
        runs.sort(
                Comparator.comparing(
                        StoredRun<S>::id,
                        Comparator.comparingLong(RunId::startMillis)
                                .thenComparingLong(RunId::endMillis)
                                .thenComparingInt(RunId::layer)
                                .thenComparingInt(RunId::sequence)));
        return runs;
    }

    /**
     * Writes a layer to a tier, with all that changed since that tier or one above it was written; to tier 0
     * all its groups, instead of what there is.
     */
    void write(Span<S> span, Layer<S> layer, int tier) throws Exception {
        if (tier == 0) {
            delete(layer);
        } else {
            delete(layer.takeBelow(tier));
        }
        write(span, layer, layer.table(), tier);
        layer.table().clearChanged(tier == 0 ? GroupTable.TIERS : tier);
    }

    /** Writes all groups of a table as runs of a layer. */
    void write(Span<S> span, Layer<S> layer, GroupTable table) throws Exception {
        write(span, layer, table, 0);
    }

    private void write(Span<S> span, Layer<S> layer, GroupTable table, int tier) throws Exception {
        long before = written;
        int kept = tiers.changes() == 1 ? 0 : tier;
        GroupCursor groups = table.cursor();
        List<Integer> used = new ArrayList<>();
        while (groups.next()) {
            if (tier == 0 || groups.isChanged(tier)) {
                int keyGroup = groups.keyGroup();
                groups.key(key);
                Partial partial = none.copy();
                PartialSource.add(groups, values, partial);
                if (writers[keyGroup] == null) {
                    writers[keyGroup] = new RunWriter(format);
                }
                RunWriter writer = writers[keyGroup];
                if (writer.bytes() == 0) {
                    used.add(keyGroup);
                    carriers.computeIfAbsent(
                            keyGroup, k -> codec.read(key.array(), 0, key.length()));
                }
                writer.add(key.array(), key.length(), partial);
                written++;
                if (writer.bytes() >= FULL_BYTES) {
                    used.remove((Integer) keyGroup);
                    put(span, layer, keyGroup, kept, writer.take());
                }
            }
        }
        for (int keyGroup : used) {
            put(span, layer, keyGroup, kept, writers[keyGroup].take());
        }
        // Their arrays are as long as the runs, of which there may be one for each of many key
        // groups.
        Arrays.fill(writers, null);
        layer.wrote(tier, written - before);
    }

    private void put(Span<S> span, Layer<S> layer, int keyGroup, int tier, GroupRun run)
            throws Exception {
        RunId id = new RunId(span.startMillis, span.endMillis, layer.id, layer.nextSequence);
        StoredRun<S> stored = new StoredRun<>(carriers.get(keyGroup), keyGroup, tier, id);
        tiers.state(tier);
        tiers.open(stored).update(run);
        layer.add(stored);
    }

    /** Sets the groups of all of a layer's runs, which were restored, in its table. */
    void load(Layer<S> layer) throws Exception {
        long groups = 0;
        for (int keyGroup : layer.keyGroups()) {
            groups += load(layer, keyGroup, layer.table());
        }
        layer.restored(groups);
    }

    /** Sets the groups of a layer's runs of a key group in a table; gives how many the runs have. */
    long load(Layer<S> layer, int keyGroup, GroupTable into) throws Exception {
        long groups = 0;
        for (StoredRun<S> run : layer.runs(keyGroup)) {
            groups += load(run, into);
        }
        return groups;
    }

    private long load(StoredRun<S> run, GroupTable into) throws Exception {
        reader.open(read(run));
        long groups = 0;
        while (reader.next()) {
            key.set(reader.bytes(), reader.keyAt(), reader.keyLength());
            int group = into.group(key.array(), 0, key.length(), run.keyGroup());
            into.reset(group);
            into.merge(group, source.open(reader.partial()));
            groups++;
        }
        return groups;
    }

    private GroupRun read(StoredRun<S> run) throws IOException {
        return tiers.open(run).value();
    }

    /** Removes a layer's runs from state. */
    void delete(Layer<S> layer) {
        for (int keyGroup : layer.keyGroups()) {
            delete(layer.runs(keyGroup));
        }
        layer.removed();
    }

    private void delete(List<StoredRun<S>> runs) {
        runs.forEach(run -> tiers.open(run).clear());
    }

    /** The summaries of the key groups, by key group. */
    Map<Integer, byte[]> summaries() throws IOException {
        List<S> keys;
        try (Stream<S> all = backend.getKeys(SUMMARIES, VoidNamespace.INSTANCE)) {
            keys = all.toList();
        }
        Map<Integer, byte[]> byKeyGroup = new HashMap<>();
        for (S carrier : keys) {
            backend.setCurrentKey(carrier);
            carriers.put(keyGroup(carrier), carrier);
            byKeyGroup.put(keyGroup(carrier), summaries.value());
        }
        return byKeyGroup;
    }

    /** Replaces the summary of a key group that has runs. */
    void putSummary(int keyGroup, byte[] summary) throws IOException {
        backend.setCurrentKey(carriers.get(keyGroup));
        summaries.update(summary);
    }

    /** Removes all summaries, with no runs there any more. */
    void deleteSummaries() {
        for (S carrier : carriers.values()) {
            backend.setCurrentKey(carrier);
            summaries.clear();
        }
        carriers.clear();
    }

    int keyGroup(S carrier) {
        return KeyGroupRangeAssignment.assignToKeyGroup(carrier, keyGroups);
    }
}
