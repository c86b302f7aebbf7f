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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Layers in Flink's keyed state: the groups of a key group as runs of bytes, under one key of theirs, which
 * makes them move with the key group, in {@link RunTiers tiers}. Changes the current key. Task thread only.
 *
 * <p>A write goes from key group to key group, as RocksDB sorts them: so its files of many groups do not
 * overlap, and become a level as they are. Written in any other order they are merged, and a
 * later checkpoint has all groups in it once more.
 *
 * @param <S> the key in state
 */
final class RunStore<S> {

    private static final String SUMMARIES = "window-groups-summary";

    /** A run is cut here, so that an array stays small. */
    private static final int FULL_BYTES = 1 << 16;

    /** Groups that take so much in their table are sorted by key groups at a time. */
    private static final long PART_BYTES = 1 << 25;

    private final KeyedStateBackend<S> backend;
    private final int keyGroups;
    private final KeyCodec<S> codec;
    private final RunTiers<S> tiers;
    private final InternalValueState<S, VoidNamespace, byte[]> summaries;
    private final int values;
    private final Partial none;
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

    /** Called before each snapshot's writes. Changes the current key. */
    void tidy() {
        tiers.tidy();
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
        int state = tier == 0 ? tiers.all(layer) : tier;
        if (tier == 0) {
            tiers.emptied(layer, state);
            delete(layer);
        } else {
            delete(layer.takeBelow(tier));
        }
        write(span, layer, layer.table(), tier, state);
        layer.table().clearChanged(tier == 0 ? GroupTable.TIERS : tier);
    }

    /** Writes all groups of a table as runs of a layer. */
    void write(Span<S> span, Layer<S> layer, GroupTable table) throws Exception {
        write(span, layer, table, 0, 0);
    }

    private void write(Span<S> span, Layer<S> layer, GroupTable table, int tier, int state)
            throws Exception {
        long before = written;
        int[] groups = new int[keyGroups];
        for (GroupCursor cursor = table.cursor(); next(cursor, tier); ) {
            groups[cursor.keyGroup()]++;
        }
        long most = PART_BYTES * table.size() / Math.max(1, table.bytes());
        for (int first = 0, end; first < keyGroups; first = end) {
            long part = groups[first];
            for (end = first + 1; end < keyGroups && part + groups[end] <= most; end++) {
                part += groups[end];
            }
            if (part > 0) {
                writePart(span, layer, table.cursor(), tier, state, first, end);
            }
        }
        layer.wrote(tier, written - before);
    }

    /** Goes to the next group that is written to a tier; false if there is none. */
    private static boolean next(GroupCursor groups, int tier) {
        while (groups.next()) {
            if (tier == 0 || groups.isChanged(tier)) {
                return true;
            }
        }
        return false;
    }

    /** Writes the groups of some key groups, in the order in which RocksDB sorts their runs. */
    private void writePart(
            Span<S> span,
            Layer<S> layer,
            GroupCursor groups,
            int tier,
            int state,
            int first,
            int end)
            throws Exception {
        int kept = tiers.changes() == 1 ? 0 : state;
        RunWriter[] writers = new RunWriter[end - first];
        List<List<GroupRun>> runs = new ArrayList<>(Collections.nCopies(end - first, null));
        while (next(groups, tier)) {
            int keyGroup = groups.keyGroup();
            if (keyGroup < first || keyGroup >= end) {
                continue;
            }
            groups.key(key);
            Partial partial = none.copy();
            PartialSource.add(groups, values, partial);
            if (writers[keyGroup - first] == null) {
                writers[keyGroup - first] = new RunWriter(format);
                runs.set(keyGroup - first, new ArrayList<>());
                carriers.computeIfAbsent(keyGroup, k -> codec.read(key.array(), 0, key.length()));
            }
            RunWriter writer = writers[keyGroup - first];
            writer.add(key.array(), key.length(), partial);
            written++;
            if (writer.bytes() >= FULL_BYTES) {
                runs.get(keyGroup - first).add(writer.take());
                if (end - first == 1) {
                    put(span, layer, first, kept, runs.get(0));
                }
            }
        }
        for (int i = 0; i < writers.length; i++) {
            if (writers[i] != null) {
                if (writers[i].bytes() > 0) {
                    runs.get(i).add(writers[i].take());
                }
                put(span, layer, first + i, kept, runs.get(i));
            }
        }
    }

    private void put(Span<S> span, Layer<S> layer, int keyGroup, int tier, List<GroupRun> runs)
            throws Exception {
        for (GroupRun run : runs) {
            put(span, layer, keyGroup, tier, run);
        }
        runs.clear();
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
