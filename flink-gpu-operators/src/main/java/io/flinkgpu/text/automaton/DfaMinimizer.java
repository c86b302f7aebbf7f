package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Makes the smallest automaton with the same answers: rule, back-off and the place they are seen.
 *
 * <p>Sets of states are split until all states of a set lead to the same sets, the smaller part of a split being
 * the new set, as in Hopcroft, "An n log n algorithm for minimizing states in a finite automaton" (1971). A state's
 * hash of where it leads follows each target that gets into another set. Different hashes are always of different
 * states; that equal ones are of equal states is checked in the end.
 */
@Internal
public final class DfaMinimizer {

    private final StateTable table;
    private final int symbols;
    private final long seed;
    private final Edges edges;
    private final Partition blocks;

    /** For each state, the weights of its edges times the numbers of the sets that they lead to, summed. */
    private final long[] hashes;

    /** Of each set, the hash of those of its states that are not in {@link #changed}. */
    private final long[] hashOfSet;

    /** States whose hash may have changed. */
    private int[] changed;

    /** Room for the next ones. */
    private int[] before;

    private int changedCount;
    private final boolean[] isChanged;

    private DfaMinimizer(StateTable table, long seed) {
        this.table = table;
        this.symbols = table.symbols();
        this.seed = seed;
        int states = table.states();
        this.edges = new Edges(table, seed);
        this.blocks = new Partition(states);
        this.hashes = new long[states];
        this.hashOfSet = new long[states + 1];
        this.changed = new int[states];
        this.before = new int[states];
        this.isChanged = new boolean[states];
    }

    public static StateTable minimize(StateTable table) {
        for (long seed = 0; ; seed += table.symbols()) {
            DfaMinimizer minimizer = new DfaMinimizer(table, seed);
            minimizer.refine();
            if (minimizer.isStable()) {
                return minimizer.quotient();
            }
        }
    }

    private void refine() {
        boolean[] live = liveStates();
        splitByMatch(live);
        for (int state = 1; state < live.length; state++) {
            if (live[state]) {
                change(state);
                addToSources(state, numberOf(blocks.setOf(state)));
            }
        }
        while (changedCount > 0) {
            splitChanged();
        }
    }

    /** States from which a match can still be seen, or that are one. */
    private boolean[] liveStates() {
        int states = table.states();
        boolean[] live = new boolean[states];
        int[] queue = new int[states];
        int queued = 0;
        for (int state = 1; state < states; state++) {
            if (table.match()[state] != 0) {
                live[state] = true;
                queue[queued++] = state;
            }
        }
        for (int i = 0; i < queued; i++) {
            for (int edge = edges.first(queue[i]); edge < edges.past(queue[i]); edge++) {
                int source = edges.source(edge);
                if (!live[source]) {
                    live[source] = true;
                    queue[queued++] = source;
                }
            }
        }
        return live;
    }

    private void splitByMatch(boolean[] live) {
        int kinds = 0;
        for (int match : table.match()) {
            kinds = Math.max(kinds, match + 1);
        }
        int[] from = new int[kinds + 2];
        for (int state = 0; state < table.states(); state++) {
            from[kindOf(state, live) + 1]++;
        }
        for (int i = 1; i < from.length; i++) {
            from[i] += from[i - 1];
        }
        int[] byKind = new int[table.states()];
        int[] at = Arrays.copyOf(from, from.length);
        for (int state = 0; state < table.states(); state++) {
            byKind[at[kindOf(state, live)]++] = state;
        }
        for (int kind = 0; kind <= kinds; kind++) {
            for (int i = from[kind]; i < from[kind + 1]; i++) {
                blocks.mark(byKind[i]);
            }
            blocks.split();
        }
    }

    private int kindOf(int state, boolean[] live) {
        return live[state] ? table.match()[state] + 1 : 0;
    }

    private long numberOf(int set) {
        return Edges.mix(~seed - set);
    }

    private void change(int state) {
        if (!isChanged[state]) {
            isChanged[state] = true;
            changed[changedCount++] = state;
        }
    }

    private void addToSources(int target, long number) {
        for (int edge = edges.first(target); edge < edges.past(target); edge++) {
            int source = edges.source(edge);
            hashes[source] += edges.weight(edge) * number;
            change(source);
        }
    }

    /** Splits the sets of the states that have changed so far by their hashes as they are now. */
    private void splitChanged() {
        int[] states = changed;
        int count = changedCount;
        changed = before;
        before = states;
        changedCount = 0;
        long[] hashOf = new long[count];
        for (int i = 0; i < count; i++) {
            hashOf[i] = hashes[states[i]];
            isChanged[states[i]] = false;
        }
        int[] group = new int[count];
        int[] from = groups(states, hashOf, group);
        int[] byGroup = new int[count];
        for (int i = 0; i < count; i++) {
            byGroup[from[group[i] + 1]++] = i;
        }
        for (int g = 0; g < from.length - 2; g++) {
            splitOff(states, byGroup, from[g], from[g + 1], hashOf[byGroup[from[g]]]);
        }
    }

    /**
     * Numbers the states of the same set and hash.
     *
     * @return where each group starts if they lie in order, after a zero, and two more entries
     */
    private int[] groups(int[] states, long[] hashOf, int[] group) {
        int mask = (Integer.highestOneBit(hashOf.length) << 2) - 1;
        int[] slots = new int[mask + 1];
        int[] sizes = new int[hashOf.length + 2];
        int groups = 0;
        for (int i = 0; i < hashOf.length; i++) {
            int set = blocks.setOf(states[i]);
            int slot = (int) Edges.mix(hashOf[i] + set) & mask;
            while (slots[slot] != 0
                    && (hashOf[slots[slot] - 1] != hashOf[i]
                            || blocks.setOf(states[slots[slot] - 1]) != set)) {
                slot = slot + 1 & mask;
            }
            if (slots[slot] == 0) {
                slots[slot] = i + 1;
                group[i] = groups++;
            } else {
                group[i] = group[slots[slot] - 1];
            }
            sizes[group[i] + 2]++;
        }
        int[] from = Arrays.copyOf(sizes, groups + 2);
        for (int g = 2; g < from.length; g++) {
            from[g] += from[g - 1];
        }
        return from;
    }

    /** Splits a group off the set that it is in, unless it is what the set's other states are. */
    private void splitOff(int[] states, int[] byGroup, int first, int past, long hash) {
        int set = blocks.setOf(states[byGroup[first]]);
        if (past - first == blocks.past(set) - blocks.first(set)) {
            hashOfSet[set] = hash;
            return;
        }
        if (hash == hashOfSet[set]) {
            return;
        }
        for (int i = first; i < past; i++) {
            blocks.mark(states[byGroup[i]]);
        }
        blocks.split();
        int fresh = blocks.sets() - 1;
        boolean isFresh = blocks.setOf(states[byGroup[first]]) == fresh;
        hashOfSet[fresh] = isFresh ? hash : hashOfSet[set];
        hashOfSet[set] = isFresh ? hashOfSet[set] : hash;
        long change = numberOf(fresh) - numberOf(set);
        for (int i = blocks.first(fresh); i < blocks.past(fresh); i++) {
            addToSources(blocks.elementAt(i), change);
        }
    }

    /** Whether all states of each set lead to the same sets. */
    private boolean isStable() {
        int dead = blocks.setOf(Dfa.DEAD);
        for (int state = 0; state < table.states(); state++) {
            int set = blocks.setOf(state);
            int first = blocks.elementAt(blocks.first(set));
            for (int symbol = 0; set != dead && first != state && symbol < symbols; symbol++) {
                if (blocks.setOf(table.next(state, symbol))
                        != blocks.setOf(table.next(first, symbol))) {
                    return false;
                }
            }
        }
        return true;
    }

    private StateTable quotient() {
        int[] stateOf = new int[blocks.sets()];
        Arrays.fill(stateOf, -1);
        stateOf[blocks.setOf(0)] = 0;
        int[] original = new int[blocks.sets()];
        int states = 1;
        for (int state = 1; state < table.states(); state++) {
            int block = blocks.setOf(state);
            if (stateOf[block] < 0) {
                stateOf[block] = states;
                original[states++] = state;
            }
        }
        int[] next = new int[states * symbols];
        int[] match = new int[states];
        for (int state = 1; state < states; state++) {
            match[state] = table.match()[original[state]];
            for (int symbol = 0; symbol < symbols; symbol++) {
                int target = table.next(original[state], symbol);
                next[state * symbols + symbol] = stateOf[blocks.setOf(target)];
            }
        }
        int[] start = new int[table.start().length];
        for (int before = 0; before < start.length; before++) {
            start[before] = stateOf[blocks.setOf(table.start()[before])];
        }
        return new StateTable(symbols, next, match, start);
    }
}
