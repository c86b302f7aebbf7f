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
 * again, until all is written anew. Where that would make nothing less, all runs are in tier 0. Task
 * thread only.
 *
 * @param <S> the key in state
 */
final class RunTiers<S> {

    private static final String NAME = "window-groups";

    private final KeyedStateBackend<S> backend;
    private final GroupRunSerializer format;

    /** By tier; null until it is needed, as a state has its price even if nothing is in it. */
    private final List<InternalValueState<S, RunId, GroupRun>> states =
            new ArrayList<>(Collections.nCopies(1 + GroupTable.TIERS, null));

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
