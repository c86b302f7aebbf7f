package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;

import java.util.ArrayList;
import java.util.Arrays;
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

    /**
     * How often a tier is written until what it has goes to the next one. RocksDB, where it compacts by
     * levels, merges a column family's files with all that it has when it has got a fourth; with the
     * next write the runs here are deleted instead.
     */
    private static final int MOST_WRITES = 3;

    /** As in the {@link io.flinkgpu.state.RunId}s of the runs. */
    final int id;

    private long firedUpTo;

    /** What state has of the groups: by key group, in the order of their sequence. */
    private final SortedMap<Integer, List<StoredRun<S>>> runs = new TreeMap<>();

    /** How many groups the runs of each tier have, one that is in several of them being counted in each. */
    private final long[] storedGroups = new long[1 + GroupTable.TIERS];

    /** How often each tier was written since one above it was. */
    private final int[] writes = new int[1 + GroupTable.TIERS];

    /** The sequence of the next run. */
    int nextSequence;

    /** The sequence of the first run that was written, and not restored. */
    private int firstWritten;

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

    /** What a tier has, by key groups. */
    List<StoredRun<S>> runsOf(int tier) {
        return runs.values().stream()
                .flatMap(List::stream)
                .filter(run -> run.tier() == tier)
                .toList();
    }

    /** What state has of a key group. */
    List<StoredRun<S>> runs(int keyGroup) {
        return runs.getOrDefault(keyGroup, List.of());
    }

    /** How many groups the runs have, one that is in several of them being counted in each. */
    long storedGroups() {
        long groups = 0;
        for (long ofTier : storedGroups) {
            groups += ofTier;
        }
        return groups;
    }

    /**
     * The tier that is written next, with all that changed since it or one above it was: the lowest one that
     * was not written so often that its runs had better become fewer; 0, with all groups, if each was, or
     * if most groups have changed. The groups are in memory.
     *
     * @param tiers how many there are besides that of all groups
     */
    int nextTier(int tiers) {
        if (tiers == 1) {
            return 1;
        }
        if (2L * table.changed() > table.size()) {
            return 0;
        }
        int tier = 1;
        while (tier <= tiers && writes[tier] == MOST_WRITES) {
            tier++;
        }
        return tier <= tiers ? tier : 0;
    }

    /** Says that a tier was written, and that the runs of those below it were {@link #takeBelow taken}. */
    void wrote(int tier, long groups) {
        writes[tier]++;
        storedGroups[tier] += groups;
    }

    /** Takes the runs that were written, and not restored, to tiers below one: that has their groups. */
    List<StoredRun<S>> takeBelow(int tier) {
        List<StoredRun<S>> below = new ArrayList<>();
        for (List<StoredRun<S>> ofKeyGroup : runs.values()) {
            ofKeyGroup.removeIf(
                    run -> {
                        boolean isBelow =
                                run.tier() > 0
                                        && run.tier() < tier
                                        && run.id().sequence() >= firstWritten;
                        return isBelow && below.add(run);
                    });
        }
        runs.values().removeIf(List::isEmpty);
        for (int lower = 1; lower < tier; lower++) {
            writes[lower] = 0;
            storedGroups[lower] = 0;
        }
        return below;
    }

    /** Says that all runs were restored, which have so many groups. */
    void restored(long groups) {
        storedGroups[0] = groups;
        firstWritten = nextSequence;
    }

    /** Adds a run that state has now. */
    void add(StoredRun<S> run) {
        runs.computeIfAbsent(run.keyGroup(), k -> new ArrayList<>()).add(run);
        nextSequence = Math.max(nextSequence, run.id().sequence() + 1);
    }

    /** Says that state has none of the groups any more. */
    void removed() {
        runs.clear();
        Arrays.fill(storedGroups, 0);
        Arrays.fill(writes, 0);
    }

    /** Gives the memory back. */
    void forget() {
        if (table != null) {
            table.close();
            table = null;
        }
    }
}
