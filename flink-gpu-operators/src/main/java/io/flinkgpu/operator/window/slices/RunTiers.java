package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.state.GroupRun;
import io.flinkgpu.state.GroupRunSerializer;
import io.flinkgpu.state.RunId;
import io.flinkgpu.state.RunIdSerializer;

import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalValueState;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The states that runs are in. RocksDB keeps each in files of its own: that of tier 0 has runs of all groups
 * of a layer, that of tier 1 what changed since the last checkpoint, and each above it what some writes to the
 * one below had. So the files of all groups are not merged with what changed, and not uploaded
 * again, until all is written anew. All of many groups go to the one of two states that the layer is not in:
 * what was deleted there is gone by then, as {@link #tidy} sees to, so there is nothing to merge them
 * with. Where that would make nothing less, all runs are in tier 0. Task thread only.
 *
 * @param <S> the key in state
 */
final class RunTiers<S> {

    private static final String NAME = "window-groups";

    /** The other state of all groups of a layer. */
    private static final int SECOND = 1 + GroupTable.TIERS;

    /** Fewer are merged at no great cost. */
    private static final int MANY_GROUPS = 1 << 16;

    /** RocksDB merges this many files of a state, so that what was deleted is gone. */
    private static final int MERGED_FILES = 4;

    /** A run that there never is. */
    private static final int NO_SEQUENCE = -1;

    private final KeyedStateBackend<S> backend;
    private final GroupRunSerializer format;

    /** By tier; null until it is needed, as a state has its price even if nothing is in it. */
    private final List<InternalValueState<S, RunId, GroupRun>> states =
            new ArrayList<>(Collections.nCopies(1 + SECOND, null));

    /** For each state a place in it to delete once more, so that it gets another file, and how often. */
    private final List<StoredRun<S>> emptied =
            new ArrayList<>(Collections.nCopies(1 + SECOND, null));

    private final int[] files = new int[1 + SECOND];

    RunTiers(KeyedStateBackend<S> backend, GroupRunSerializer format) throws Exception {
        this.backend = backend;
        this.format = format;
        state(0);
    }

    /** Takes a run that is in state. */
    @FunctionalInterface
    interface Found<S> {

        void run(S carrier, int tier, RunId id);
    }

    /** Whether state is on the heap, where each checkpoint writes all of it. */
    boolean isOnHeap() {
        return backend instanceof HeapKeyedStateBackend;
    }

    /**
     * How many tiers are to be written besides that of all groups: one, whose runs are in tier 0 too, unless
     * the backend keeps sorted files itself. One around another, as the changelog's, logs each write.
     */
    int changes() {
        return backend instanceof AbstractKeyedStateBackend && !isOnHeap() ? GroupTable.TIERS : 1;
    }

    /** The tier in which all groups of a layer are written. */
    int all(Layer<S> layer) {
        boolean many = layer.table().size() >= MANY_GROUPS && changes() > 1;
        return many && !layer.runsOf(0).isEmpty() ? SECOND : 0;
    }

    /** Says that a layer's runs will be deleted, as its groups are written to another tier. */
    void emptied(Layer<S> layer, int written) {
        if (written == SECOND) {
            emptied(layer.runsOf(0));
        } else if (states.get(SECOND) != null) {
            emptied(layer.runsOf(SECOND));
        }
    }

    private void emptied(List<StoredRun<S>> runs) {
        if (runs.isEmpty()) {
            return;
        }
        StoredRun<S> middle = runs.get(runs.size() / 2);
        RunId id = middle.id();
        RunId none = new RunId(id.startMillis(), id.endMillis(), id.layer(), NO_SEQUENCE);
        int tier = middle.tier();
        emptied.set(tier, new StoredRun<>(middle.carrier(), middle.keyGroup(), tier, none));
        files[tier] = 1;
    }

    /** Called before each write: has RocksDB drop what was deleted, and changes the current key. */
    void tidy() {
        for (int tier = 0; tier < files.length; tier++) {
            if (files[tier] > 0) {
                open(emptied.get(tier)).clear();
                files[tier] = (files[tier] + 1) % MERGED_FILES;
            }
        }
    }

    /** Gives all runs there are. */
    void forEach(Found<S> found) throws Exception {
        for (int tier = 0; tier < states.size(); tier++) {
            List<Tuple2<S, RunId>> runs;
            try (Stream<Tuple2<S, RunId>> all = backend.getKeysAndNamespaces(name(tier))) {
                runs = all.toList();
            }
            if (!runs.isEmpty()) {
                state(tier);
            }
            for (Tuple2<S, RunId> run : runs) {
                found.run(run.f0, tier, run.f1);
            }
        }
    }

    /** The state of a tier, which is made if there is none. */
    @SuppressWarnings("unchecked") // Every backend's value state is an internal one.
    InternalValueState<S, RunId, GroupRun> state(int tier) throws Exception {
        InternalValueState<S, RunId, GroupRun> state = states.get(tier);
        if (state == null) {
            state =
                    (InternalValueState<S, RunId, GroupRun>)
                            backend.getOrCreateKeyedState(
                                    RunIdSerializer.INSTANCE,
                                    new ValueStateDescriptor<>(name(tier), format));
            states.set(tier, state);
        }
        return state;
    }

    /** The state of a run, at its place. Changes the current key. */
    InternalValueState<S, RunId, GroupRun> open(StoredRun<S> run) {
        InternalValueState<S, RunId, GroupRun> state = states.get(run.tier());
        backend.setCurrentKey(run.carrier());
        state.setCurrentNamespace(run.id());
        return state;
    }

    private static String name(int tier) {
        return tier == 0 ? NAME : NAME + "-" + tier;
    }
}
