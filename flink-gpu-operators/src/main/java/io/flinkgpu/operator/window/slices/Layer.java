package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Groups of a span, in memory or in state, or in both. Only the last layer of a span is added to; the
 * groups of its layers are added when a window fires.
 *
 * @param <S> the key in state
 */
final class Layer<S> {

    /** As in the {@link io.flinkgpu.state.RunId}s of the runs. */
    final int id;

    private long firedUpTo;

    /** What state has of the groups: by key group, in the order of their sequence. */
    private final SortedMap<Integer, List<StoredRun<S>>> runs = new TreeMap<>();

    /** How many groups the runs have, one that is in several of them being counted in each. */
    long storedGroups;

    /** The sequence of the next run. */
    int nextSequence;

    /** The groups in memory; null if all are in state only. */
    private GroupTable table;

    Layer(int id, long firedUpTo, GroupTable table) {
        this.id = id;
        this.firedUpTo = firedUpTo;
        this.table = table;
    }

    /**
     * Up to where windows have fired with these groups, before a restore or by the clock; {@code
     * Long.MIN_VALUE} if none has. Such a window has them again only for keys that other layers have, as
     * in Flink's operator, and only while it is kept.
     */
    long firedUpTo() {
        return firedUpTo;
    }

    /** Says that windows have fired up to a time; nothing is added to the layer from now on. */
    void fired(long upTo) {
        firedUpTo = Math.max(firedUpTo, upTo);
    }

    GroupTable table() {
        return table;
    }

    boolean isInMemory() {
        return table != null;
    }

    boolean isEmpty() {
        return table != null ? table.size() == 0 : runs.isEmpty();
    }

    /** Whether state has some of the groups. */
    boolean isStored() {
        return !runs.isEmpty();
    }

    /** The key groups that state has runs of, in ascending order. */
    Set<Integer> keyGroups() {
        return runs.keySet();
    }

    /** What state has of a key group. */
    List<StoredRun<S>> runs(int keyGroup) {
        return runs.getOrDefault(keyGroup, List.of());
    }

    /** Adds a run that state has now. */
    void add(StoredRun<S> run) {
        runs.computeIfAbsent(run.keyGroup(), k -> new ArrayList<>()).add(run);
        nextSequence = Math.max(nextSequence, run.id().sequence() + 1);
    }

    /** Says that state has none of the groups any more. */
    void removed() {
        runs.clear();
        storedGroups = 0;
    }

    /** Gives the memory back. */
    void forget() {
        if (table != null) {
            table.close();
            table = null;
        }
    }
}
