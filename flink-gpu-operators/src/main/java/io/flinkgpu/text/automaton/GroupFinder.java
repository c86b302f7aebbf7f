package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Finds the group of a match that a walk has found, or the match of a rule too large for walks, by trying the rule's
 * alternatives in order from the match's start. A
 * choice that failed at a position fails there again, so it is mostly made but once. Takes a few steps a byte of most
 * matches, where {@link LinearMatcher} goes over the whole row first; gives up on matches that take more, and on long
 * ones. Callers count its {@link #steps} among those that a row may take. One serves all parts of a rule set. Not
 * thread-safe.
 */
@Internal
public final class GroupFinder {

    private static final int FREE_STEPS = 1024;
    private static final int STEPS_PER_BYTE = 16;

    /** {@link #findEnd} takes too many steps. */
    public static final int UNKNOWN = -2;

    /** No match starts there. */
    private static final int NONE = -1;

    /** Longer matches are given up. */
    static final int MAX_BYTES = 1 << 14;

    /** Slots for choices; what long matches needed is given back. */
    private static final int MIN_SLOTS = 1 << 9;

    private static final int KEPT_SLOTS = 1 << 12;
    private static final int SLOTS_PER_BYTE = 8;

    private static final int FRAME = 5;
    private static final int MIN_FRAMES = 16;
    private static final int KEPT_FRAMES = 1 << 10;

    private Nfa nfa;

    /**
     * Choices that were made, each a state at a position, counted on from match to match so that nothing need be
     * cleared. One is forgotten when another takes its slot.
     */
    private long[] made = new long[MIN_SLOTS];

    /** The least number of a choice of the match at hand. */
    private long base = 1;

    /** Choices with alternatives left: the next edge and the last, the position, where the group opened and closed. */
    private int[] stack = new int[MIN_FRAMES * FRAME];

    private int depth;
    private int at;
    private int groupStart;
    private int groupEnd;
    private int steps;

    /**
     * Looks for the group of the match {@code row[start, end)} of a rule.
     *
     * @param ofRules what that rule is one of
     * @param rule its number there
     * @return whether it took few steps; then {@link #replacedStart()} and {@link #replacedEnd()} describe it
     */
    public boolean find(Nfa ofRules, byte[] row, int length, int rule, int start, int end) {
        steps = 1;
        if (end - start > MAX_BYTES) {
            return false;
        }
        nfa = ofRules;
        makeRoom(end - start);
        // A match may look at three bytes after it, and a failing alternative a little further.
        int positions = Math.min(length - start + 1, 2 * (end - start) + 64);
        boolean found = walk(row, length, rule, start, positions, end - start) == end;
        forget((long) positions * nfa.states());
        if (found) {
            orAll(start, end);
        }
        return found;
    }

    /**
     * Looks for the match of a rule that starts at a position, of which no walk knows the end.
     *
     * @param ofRules what that rule is one of
     * @param rule its number there
     * @return where it ends, or a negative number if there is none; then {@link #replacedStart()} and {@link
     *     #replacedEnd()} describe it. Or {@link #UNKNOWN}
     */
    public int findEnd(Nfa ofRules, byte[] row, int length, int rule, int start) {
        steps = 1;
        nfa = ofRules;
        int positions = Math.min(length - start + 1, MAX_BYTES);
        makeRoom(Math.min(positions, KEPT_SLOTS / SLOTS_PER_BYTE));
        int end = walk(row, length, rule, start, positions, positions);
        forget((long) positions * nfa.states());
        orAll(start, end);
        return end;
    }

    private void makeRoom(int bytes) {
        int slots = Integer.highestOneBit(SLOTS_PER_BYTE * bytes);
        if (slots > made.length) {
            made = new long[slots];
        }
    }

    private void orAll(int start, int end) {
        if (groupStart < 0 || groupEnd <= groupStart) {
            groupStart = start;
            groupEnd = end;
        }
    }

    /**
     * Finds the group of a match as {@link #find} does, or where that gives up by the matcher that is linear on every
     * row. {@link #steps()} then counts what that took, too.
     *
     * @param matcher the rules' matcher, which has the row
     */
    public void locate(
            Nfa ofRules,
            byte[] row,
            int length,
            int rule,
            int start,
            int end,
            Supplier<LinearMatcher> matcher) {
        if (!find(ofRules, row, length, rule, start, end)) {
            LinearMatcher linear = matcher.get();
            linear.locate(rule, start);
            groupStart = linear.replacedStart();
            groupEnd = linear.replacedEnd();
            steps += end - start;
        }
    }

    private void forget(long numbers) {
        base += numbers;
        if (made.length > KEPT_SLOTS) {
            made = new long[MIN_SLOTS];
        } else if (base > Long.MAX_VALUE / 2) {
            Arrays.fill(made, 0);
            base = 1;
        }
        if (stack.length > KEPT_FRAMES * FRAME) {
            stack = new int[MIN_FRAMES * FRAME];
        }
    }

    /** Goes to the first match in the order of preference; returns its end, {@link #NONE} or {@link #UNKNOWN}. */
    private int walk(byte[] row, int length, int rule, int start, int positions, int bytes) {
        final byte[] kind = nfa.kind();
        final int maxSteps = FREE_STEPS + STEPS_PER_BYTE * bytes;
        int state = nfa.ruleStarts()[rule];
        depth = 0;
        at = start;
        groupStart = -1;
        groupEnd = -1;
        for (; steps < maxSteps && at - start < positions; steps++) {
            int next;
            if (kind[state] == Nfa.MATCH) {
                return at - (nfa.argument()[state] & 3);
            } else if (kind[state] == Nfa.BYTES) {
                next = at < length ? nfa.step(state, row[at] & 0xff) : -1;
                at++;
            } else if (kind[state] == Nfa.LOOK) {
                next = holds(state, row, length) ? nfa.target()[nfa.edges()[state]] : -1;
            } else {
                next = choose(state, at - start);
            }
            state = next < 0 ? goBack() : next;
            if (state < 0) {
                return NONE;
            }
        }
        return UNKNOWN;
    }

    private boolean holds(int state, byte[] row, int length) {
        int before = at == 0 ? Dfa.NOTHING : row[at - 1] & 0xff;
        int following = at == length ? Dfa.NOTHING : row[at] & 0xff;
        return nfa.holds(nfa.argument()[state], before, following);
    }

    /** The first alternative, or -1 if it was taken at this position before; the others are kept for later. */
    private int choose(int state, int position) {
        int mark = nfa.argument()[state];
        groupStart = mark == Nfa.GROUP_OPENS ? at : groupStart;
        groupEnd = mark == Nfa.GROUP_CLOSES ? at : groupEnd;
        int edge = nfa.edges()[state];
        int last = nfa.edges()[state + 1] - 1;
        if (edge < last) {
            long choice = (long) position * nfa.states() + state;
            int slot = (int) (choice * 0x9E3779B97F4A7C15L >>> 32) & made.length - 1;
            if (made[slot] == base + choice) {
                return -1;
            }
            made[slot] = base + choice;
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

    /** Steps that the last search took, whether it found the group or not. */
    public int steps() {
        return steps;
    }

    /** Where what is replaced starts: the group, or all of the match if there is none, or if that is empty. */
    public int replacedStart() {
        return groupStart;
    }

    /** After what is replaced. */
    public int replacedEnd() {
        return groupEnd;
    }

    /** Bytes of memory that grew with matches. */
    long heldBytes() {
        return Long.BYTES * (long) made.length + Integer.BYTES * (long) stack.length;
    }
}
