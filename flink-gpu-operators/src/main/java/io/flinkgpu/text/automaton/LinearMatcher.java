package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Finds matches in time linear in the row, whatever the row. Slower than a walk of the {@link Dfa} on
 * ordinary text; takes over where a row runs over its step budget. Not thread-safe.
 *
 * <p>One pass from the end of the row to its start finds for each position the automaton's states
 * from which a match can be reached. A walk from a start then takes at each choice the first
 * alternative that reaches one, and never goes back. See Frisch and Cardelli, "Greedy regular
 * expression matching" (2004).
 *
 * <p>Only a bounded number of state sets is kept. A row that needs more is cut into segments, of
 * which one at a time has its sets; the others keep the set after their end, to start again from.
 */
@Internal
public final class LinearMatcher {

    private final Nfa nfa;
    private final Contexts contexts;
    private final LiveSets sets;
    private final WalkMemo memo;

    private byte[] row;
    private int length;

    /** The set at each position of the segment at hand, {@code [segmentFrom, segmentTo)}. */
    private int[] setAt = new int[256];

    private int segmentFrom;
    private int segmentTo;

    /** Ends of segments, from the row's end to its start, and the set at each. */
    private int[] segmentEnds = new int[4];

    private long[] segmentSets;
    private int segments;

    /** A bit a position: whether a match starts there. */
    private long[] starts = new long[4];

    private int start;
    private int end;
    private int rule;
    private boolean remembered;

    public LinearMatcher(Nfa nfa) {
        this(nfa, new LiveSets(nfa));
    }

    public LinearMatcher(Nfa nfa, LiveSets sets) {
        this.nfa = nfa;
        this.contexts = new Contexts(nfa);
        this.sets = sets;
        this.memo = new WalkMemo(nfa.states());
        this.segmentSets = new long[segmentEnds.length * sets.words()];
    }

    /** Sets the row to scan; it must not change until the next call. */
    public void reset(byte[] row, int length) {
        memo.reset(this.length);
        this.row = row;
        this.length = length;
        if (setAt.length <= length) {
            setAt = new int[Math.max(length + 1, 2 * setAt.length)];
            starts = new long[setAt.length / 64 + 1];
        }
        Arrays.fill(starts, 0, length / 64 + 1, 0);
        segments = 0;
        start = -1;
        end = -1;
        scan();
    }

    /** Goes over the row from its end to its start. */
    private void scan() {
        int set = LiveSets.NONE;
        addSegment(length + 1, set);
        for (int at = length; at >= 0; at--) {
            if (at % Cancellation.INTERVAL == 0) {
                Cancellation.check();
            }
            int before = step(set, at);
            if (before == LiveSets.FULL) {
                addSegment(at + 1, set);
                sets.clear();
                set = sets.restore(segmentSets, (segments - 1) * sets.words());
                before = step(set, at);
            }
            set = before;
            setAt[at] = set;
            if (sets.holds(set, nfa.start())) {
                starts[at >> 6] |= 1L << at;
            }
        }
        segmentFrom = 0;
        segmentTo = segmentEnds[segments - 1];
    }

    private int step(int next, int at) {
        int symbol = at < length ? sets.symbolOf(row[at] & 0xff) : sets.endSymbol();
        int context =
                at == 0 ? contexts.canonical(Dfa.AT_START) : contexts.after(row[at - 1] & 0xff);
        return sets.step(next, symbol, context);
    }

    private void addSegment(int segmentEnd, int setAtEnd) {
        if (segments == segmentEnds.length) {
            segmentEnds = Arrays.copyOf(segmentEnds, 2 * segments);
            segmentSets = Arrays.copyOf(segmentSets, 2 * segmentSets.length);
        }
        segmentEnds[segments] = segmentEnd;
        sets.copy(setAtEnd, segmentSets, segments * sets.words());
        segments++;
    }

    /** Computes again the sets of the segment with a position. */
    private void load(int position) {
        int segment = segments - 1;
        while (segmentEnds[segment] <= position) {
            segment--;
        }
        segmentTo = segmentEnds[segment];
        segmentFrom = segment == segments - 1 ? 0 : segmentEnds[segment + 1];
        Cancellation.check();
        sets.clear();
        int set = sets.restore(segmentSets, segment * sets.words());
        for (int at = segmentTo - 1; at >= segmentFrom; at--) {
            set = step(set, at);
            setAt[at] = set;
        }
    }

    private boolean isLive(int state, int position) {
        if (position < segmentFrom || position >= segmentTo) {
            load(position);
        }
        return sets.holds(setAt[position], state);
    }

    /**
     * Finds the leftmost match that starts at {@code from} or after it.
     *
     * @return whether there is one; then {@link #start()}, {@link #end()} and {@link #rule()} describe it
     * @throws java.util.concurrent.CancellationException if the thread was interrupted, as {@link #reset}
     */
    public boolean find(int from) {
        int next = nextStart(from);
        if (next < 0) {
            return false;
        }
        boolean inside = next > start && next < end;
        if (inside && (memo.ensureRoom(end - start) || !remembered)) {
            // The last match was not taken, so others may run into its path.
            walk(start, true);
        }
        start = next;
        walk(next, inside);
        remembered = inside;
        return true;
    }

    private int nextStart(int from) {
        int word = from >> 6;
        if (from > length) {
            return -1;
        }
        long bits = starts[word] & -1L << from;
        while (bits == 0) {
            if (++word > length >> 6) {
                return -1;
            }
            bits = starts[word];
        }
        return word * 64 + Long.numberOfTrailingZeros(bits);
    }

    private void walk(int from, boolean remember) {
        int walk = remember ? memo.begin() : WalkMemo.NONE;
        int state = nfa.start();
        int at = from;
        while (nfa.kind()[state] != Nfa.MATCH) {
            switch (nfa.kind()[state]) {
                case Nfa.BYTES -> {
                    state = nfa.step(state, row[at] & 0xff);
                    at++;
                    int known = remember ? memo.visit(walk, state, at) : WalkMemo.NONE;
                    if (known != WalkMemo.NONE) {
                        finish(walk, memo.end(known), memo.rule(known));
                        return;
                    }
                }
                case Nfa.ANY_OF -> {
                    int edge = nfa.edges()[state];
                    while (!isLive(nfa.target()[edge], at)) {
                        edge++;
                    }
                    state = nfa.target()[edge];
                }
                default -> state = nfa.target()[nfa.edges()[state]];
            }
        }
        int match = nfa.argument()[state];
        finish(walk, at - (match & 3), match >> 2);
    }

    private void finish(int walk, int matchEnd, int matchRule) {
        end = matchEnd;
        rule = matchRule;
        if (walk != WalkMemo.NONE) {
            memo.finish(walk, matchEnd, matchRule);
        }
    }

    /** The first byte of the match found last. */
    public int start() {
        return start;
    }

    /** After the last byte of the match found last. */
    public int end() {
        return end;
    }

    /** The rule that matched. */
    public int rule() {
        return rule;
    }
}
