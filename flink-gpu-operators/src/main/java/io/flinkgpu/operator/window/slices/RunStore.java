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
import io.flinkgpu.state.RunIdSerializer;
import io.flinkgpu.state.RunReader;
import io.flinkgpu.state.RunWriter;

import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
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
 * makes them move with the key group. Changes the current key. Task thread only.
 *
 * @param <S> the key in state
 */
final class RunStore<S> {

    private static final String NAME = "window-groups";
    private static final String SUMMARIES = "window-groups-summary";

    /** A run is cut here, so that an array stays small. */
    private static final int FULL_BYTES = 1 << 16;

    private final KeyedStateBackend<S> backend;
    private final int keyGroups;
    private final KeyCodec<S> codec;
    private final InternalValueState<S, RunId, GroupRun> state;
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
        this.state =
                (InternalValueState<S, RunId, GroupRun>)
                        backend.getOrCreateKeyedState(
                                RunIdSerializer.INSTANCE,
                                new ValueStateDescriptor<>(NAME, new GroupRunSerializer(format)));
        this.summaries =
                (InternalValueState<S, VoidNamespace, byte[]>)
                        backend.getOrCreateKeyedState(
                                VoidNamespaceSerializer.INSTANCE,
                                new ValueStateDescriptor<>(
                                        SUMMARIES, BytePrimitiveArraySerializer.INSTANCE));
        this.summaries.setCurrentNamespace(VoidNamespace.INSTANCE);
    }

    /** How many groups were written so far. */
    long written() {
        return written;
    }

    /** Whether state is on the heap, where each checkpoint writes all of it. */
    boolean isOnHeap() {
        return backend instanceof HeapKeyedStateBackend;
    }

    /** The runs in state, ordered by their ids. */
    List<StoredRun<S>> stored() {
        List<StoredRun<S>> runs = new ArrayList<>();
        try (Stream<Tuple2<S, RunId>> all = backend.getKeysAndNamespaces(NAME)) {
            all.forEach(
                    entry -> {
                        int keyGroup = keyGroup(entry.f0);
                        carriers.putIfAbsent(keyGroup, entry.f0);
                        runs.add(new StoredRun<>(entry.f0, keyGroup, entry.f1));
                    });
        }
        runs.sort(
                Comparator.comparing(
                        StoredRun<S>::id,
                        Comparator.comparingLong(RunId::startMillis)
                                .thenComparingLong(RunId::endMillis)
                                .thenComparingInt(RunId::layer)
                                .thenComparingInt(RunId::sequence)));
        return runs;
    }

    /** Writes groups of a layer as runs of the next sequence: those that changed, or all. */
    void write(Span<S> span, Layer<S> layer, boolean all) throws Exception {
        write(span, layer, layer.table(), all);
        layer.table().clearChanged();
    }

    /** Writes groups of a table as runs of a layer. */
    void write(Span<S> span, Layer<S> layer, GroupTable table, boolean all) throws Exception {
        GroupCursor groups = table.cursor();
        List<Integer> used = new ArrayList<>();
        while (groups.next()) {
            if (all || groups.isChanged()) {
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
                layer.storedGroups++;
                written++;
                if (writer.bytes() >= FULL_BYTES) {
                    used.remove((Integer) keyGroup);
                    put(span, layer, keyGroup, writer.take());
                }
            }
        }
        for (int keyGroup : used) {
            put(span, layer, keyGroup, writers[keyGroup].take());
        }
        // Their arrays are as long as the runs, of which there may be one for each of many key
        // groups.
        Arrays.fill(writers, null);
    }

    private void put(Span<S> span, Layer<S> layer, int keyGroup, GroupRun run) throws Exception {
        RunId id = new RunId(span.startMillis, span.endMillis, layer.id, layer.nextSequence);
        StoredRun<S> stored = new StoredRun<>(carriers.get(keyGroup), keyGroup, id);
        open(stored);
        state.update(run);
        layer.add(stored);
    }

    /** Sets the groups of all of a layer's runs in a table. */
    void load(Layer<S> layer, GroupTable into) throws Exception {
        for (int keyGroup : layer.keyGroups()) {
            load(layer, keyGroup, into);
        }
    }

    /** Sets the groups of a layer's runs of a key group in a table. */
    void load(Layer<S> layer, int keyGroup, GroupTable into) throws Exception {
        for (StoredRun<S> run : layer.runs(keyGroup)) {
            load(run, into);
        }
    }

    private void load(StoredRun<S> run, GroupTable into) throws Exception {
        reader.open(read(run));
        while (reader.next()) {
            key.set(reader.bytes(), reader.keyAt(), reader.keyLength());
            int group = into.group(key.array(), 0, key.length(), run.keyGroup());
            into.reset(group);
            into.merge(group, source.open(reader.partial()));
        }
    }

    private GroupRun read(StoredRun<S> run) throws IOException {
        open(run);
        return state.value();
    }

    /** Removes a layer's runs from state. */
    void delete(Layer<S> layer) {
        for (int keyGroup : layer.keyGroups()) {
            for (StoredRun<S> run : layer.runs(keyGroup)) {
                open(run);
                state.clear();
            }
        }
        layer.removed();
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

    private void open(StoredRun<S> run) {
        backend.setCurrentKey(run.carrier());
        state.setCurrentNamespace(run.id());
    }

    int keyGroup(S carrier) {
        return KeyGroupRangeAssignment.assignToKeyGroup(carrier, keyGroups);
    }
}
