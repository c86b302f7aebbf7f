package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Finds the group of a match that a walk has found, by trying a rule's alternatives in order from the match's start:
 * each choice once at a position, as one that failed there fails again. Takes a few steps a byte of most matches, where
 * {@link LinearMatcher} goes over the whole row first; gives up on matches that take more. One serves all parts of a
 * rule set. Not thread-safe.
 */
@Internal
public final class GroupFinder {

    private static final int FREE_STEPS = 1024;
    private static final int STEPS_PER_BYTE = 16;

    /** Bits of choices that were taken; a match that needs more is given up. */
    private static final long MAX_TRIED = 1 << 20;

    private static final int FRAME = 5;

    private Nfa nfa;

    /** A bit for each state at each position of the match: whether that choice was taken. */
    private long[] tried = new long[16];

    /** Choices with alternatives left: the next edge and the last, the position, where the group opened and closed. */
    private int[] stack = new int[16 * FRAME];

    private int depth;
    private int at;
    private int groupStart;
    private int groupEnd;

    /**
     * Looks for the group of the match {@code row[start, end)} of a rule.
     *
     * @param ofRules what that rule is one of
     * @param rule its number there
     * @return whether it took few steps; then {@link #replacedStart()} and {@link #replacedEnd()} describe it
     */
    public boolean find(Nfa ofRules, byte[] row, int length, int rule, int start, int end) {
        nfa = ofRules;
        // A match may look at three bytes behind it, and a failing alternative a little further.
        int positions = (int) Math.min(length - start + 1L, 2L * (end - start) + 64);
        long bits = (long) positions * nfa.states();
        if (bits > MAX_TRIED) {
            return false;
        }
        int words = (int) (bits + 63 >> 6);
        if (words > tried.length) {
            tried = new long[words];
        } else {
            Arrays.fill(tried, 0, words, 0);
        }
        long steps = FREE_STEPS + (long) STEPS_PER_BYTE * (end - start);
        if (walk(row, length, rule, start, positions, steps) != end) {
            return false;
        }
        if (groupStart < 0 || groupEnd <= groupStart) {
            groupStart = start;
            groupEnd = end;
        }
        return true;
    }

    /** Goes to the first match in the order of preference; returns its end, or -1. */
    private int walk(byte[] row, int length, int rule, int start, int positions, long steps) {
        final byte[] kind = nfa.kind();
        int state = nfa.ruleStarts()[rule];
        depth = 0;
        at = start;
        groupStart = -1;
        groupEnd = -1;
        for (long left = steps; left > 0 && at - start < positions; left--) {
            int next;
            if (kind[state] == Nfa.MATCH) {
                return at - (nfa.argument()[state] & 3);
            } else if (kind[state] == Nfa.BYTES) {
                next = at < length ? nfa.step(state, row[at] & 0xff) : -1;
                at++;
            } else if (kind[state] == Nfa.LOOK) {
                next = holds(state, row, length) ? nfa.target()[nfa.edges()[state]] : -1;
            } else {
                next = choose(state, (long) (at - start) * kind.length + state);
            }
            state = next < 0 ? goBack() : next;
            if (state < 0) {
                return -1;
            }
        }
        return -1;
    }

    private boolean holds(int state, byte[] row, int length) {
        int before = at == 0 ? Dfa.NOTHING : row[at - 1] & 0xff;
        int following = at == length ? Dfa.NOTHING : row[at] & 0xff;
        return nfa.holds(nfa.argument()[state], before, following);
    }

    /** The first alternative, or -1 if it was taken at this position before; the others are kept for later. */
    private int choose(int state, long bit) {
        int mark = nfa.argument()[state];
        groupStart = mark == Nfa.GROUP_OPENS ? at : groupStart;
        groupEnd = mark == Nfa.GROUP_CLOSES ? at : groupEnd;
        int edge = nfa.edges()[state];
        int last = nfa.edges()[state + 1] - 1;
        if (edge < last) {
            int word = (int) (bit >> 6);
            if ((tried[word] >>> bit & 1) != 0) {
                return -1;
            }
            tried[word] |= 1L << bit;
            push(edge + 1, last);
        }
        return nfa.target()[edge];
    }

    private void push(int edge, int last) {
        int top = FRAME * depth++;
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, 2 * top);
        }
        stack[top] = edge;
        stack[top + 1] = last;
        stack[top + 2] = at;
        stack[top + 3] = groupStart;
        stack[top + 4] = groupEnd;
    }

    /** Where the next alternative of the last choice leads, or -1 if there is none. */
    private int goBack() {
        if (depth == 0) {
            return -1;
        }
        int top = FRAME * (depth - 1);
        int edge = stack[top];
        if (edge == stack[top + 1]) {
            depth--;
        } else {
            stack[top] = edge + 1;
        }
        at = stack[top + 2];
        groupStart = stack[top + 3];
        groupEnd = stack[top + 4];
        return nfa.target()[edge];
    }

    /** Where what is replaced starts: the group, or all of the match if there is none, or if that is empty. */
    public int replacedStart() {
        return groupStart;
    }

    /** After what is replaced. */
    public int replacedEnd() {
        return groupEnd;
    }
}
