package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

/**
 * Finds matches in time linear in the row, whatever the row. Slower than a walk of the {@link Dfa} on
 * ordinary text; takes over where a row runs over its step budget. Not thread-safe.
 *
 * <p>One pass from the end of the row to its start finds for each position the automaton's states
 * from which a match can be reached. A walk from a start then takes at each choice the first
 * alternative that reaches one, and never goes back. See Frisch and Cardelli, "Greedy regular
 * expression matching" (2004).
 *
 * <p>Only a bounded number of state sets is kept, and for a bounded number of positions: see {@link
 * LivePositions}.
 */
@Internal
public final class LinearMatcher {

    private final Nfa nfa;
    private final LivePositions live;
    private final WalkMemo memo;
    private final Distances distances;
    private final int[] asciiTargets;

    private byte[] row;

    private int start;
    private int end;
    private int rule;
    private int groupStart;
    private int groupEnd;

    /** Up to where the matches found so far reach, taken or not. */
    private int reach;

    private boolean remembered;

    public LinearMatcher(Nfa nfa) {
        this(nfa, new LiveSets(nfa));
    }

    /**
     * One of several that share the memory for what they keep from row to row.
     *
     * @param sharers how many there are
     */
    public LinearMatcher(Nfa nfa, int sharers) {
        this(nfa, LiveSets.sharing(nfa, sharers));
    }

    public LinearMatcher(Nfa nfa, LiveSets sets) {
        this(nfa, sets, LivePositions.SEGMENT_POSITIONS);
    }

    LinearMatcher(Nfa nfa, LiveSets sets, int segmentPositions) {
        this.nfa = nfa;
        this.live = new LivePositions(nfa, sets, segmentPositions);
        this.memo = new WalkMemo(nfa.states());
        this.distances = new Distances(nfa);
        this.asciiTargets = nfa.asciiTargets();
    }

    /** Sets the row to scan; it must not change until the next call, or {@link #release}. */
    public void reset(byte[] row, int length) {
        memo.reset(length);
        this.row = row;
        start = -1;
        end = -1;
        reach = -1;
        live.reset(row, length);
    }

    /** Forgets the row, and gives back the memory that a long one needed. */
    public void release() {
        row = null;
        live.release();
        memo.release();
    }

    /** Bytes of memory that grew with rows. */
    long heldBytes() {
        return live.heldBytes() + memo.heldBytes();
    }

    /**
     * Finds the leftmost match that starts at {@code from} or after it.
     *
     * @return whether there is one; then {@link #start()}, {@link #end()} and {@link #rule()} describe it
     * @throws java.util.concurrent.CancellationException if the thread was interrupted, as {@link #reset}
     */
    public boolean find(int from) {
        int next = live.nextStart(from);
        if (next < 0) {
            return false;
        }
        boolean inside = next > start && next < reach;
        if (inside && (memo.ensureRoom(reach - start) || !remembered)) {
            // The last match was not taken, so others may run into its path.
            walk(nfa.start(), start, true);
        }
        start = next;
        walk(nfa.start(), next, inside);
        remembered = inside;
        return true;
    }

    /**
     * Finds the match of the next rule that matches where the last match starts. Only where the
     * automaton's rules are numbered from 0 on in the order of preference.
     *
     * @return whether there is one; then {@link #end()} and {@link #rule()} describe it
     */
    public boolean findLater() {
        for (int later = rule + 1; later < nfa.ruleStarts().length; later++) {
            int state = nfa.ruleStarts()[later];
            if (live.isLive(state, start)) {
                walk(state, start, true);
                return true;
            }
        }
        return false;
    }

    private void walk(int first, int from, boolean remember) {
        final byte[] kind = nfa.kind();
        final int[] edges = nfa.edges();
        final int[] target = nfa.target();
        final byte[] row = this.row;
        int walk = remember ? memo.begin() : WalkMemo.NONE;
        int state = first;
        int at = from;
        int open = -1;
        int close = -1;
        for (int of = kind[state]; of != Nfa.MATCH; of = kind[state]) {
            if (of == Nfa.BYTES) {
                // A match is reachable from the state, so it reads the byte.
                int next = row[at] < 0 ? -1 : asciiTargets[state];
                state = next < 0 ? nfa.step(state, row[at] & 0xff) : next;
                at++;
                if (remember && distances.canMeet(state)) {
                    int known = memo.visit(walk, state, at);
                    if (known != WalkMemo.NONE) {
                        // What that walk passed behind here, this one would pass too.
                        open = memo.open(known) >= at ? memo.open(known) : open;
                        close = memo.close(known) >= at ? memo.close(known) : close;
                        finish(walk, memo.end(known), memo.rule(known), open, close);
                        return;
                    }
                }
            } else {
                int edge = edges[state];
                if (of == Nfa.ANY_OF) {
                    int mark = nfa.argument()[state];
                    open = mark == Nfa.GROUP_OPENS ? at : open;
                    close = mark == Nfa.GROUP_CLOSES ? at : close;
                    // The last edge is left where no other one leads to a match.
                    int last = edges[state + 1] - 1;
                    while (edge < last && !live.isLive(target[edge], at)) {
                        edge++;
                    }
                }
                state = target[edge];
            }
        }
        int match = nfa.argument()[state];
        finish(walk, at - (match & 3), match >> 2, open, close);
    }

    private void finish(int walk, int matchEnd, int matchRule, int open, int close) {
        end = matchEnd;
        rule = matchRule;
        groupStart = open;
        groupEnd = close;
        reach = Math.max(reach, matchEnd);
        if (walk != WalkMemo.NONE) {
            memo.finish(walk, matchEnd, matchRule, open, close);
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

    /**
     * Where what is replaced of the match found last starts: its group, or all of it if there is none, or if that is
     * empty.
     */
    public int replacedStart() {
        return groupStart >= 0 && groupEnd > groupStart ? groupStart : start;
    }

    /** After what is replaced of the match found last. */
    public int replacedEnd() {
        return groupStart >= 0 && groupEnd > groupStart ? groupEnd : end;
    }

    /** Goes to the match of a rule that is known to start at a position, to find its group. */
    public void locate(int ofRule, int at) {
        start = at;
        walk(nfa.ruleStarts()[ofRule], at, false);
    }

    /** The rule that matched. */
    public int rule() {
        return rule;
    }
}
