package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.text.Rivals;
import io.flinkgpu.text.automaton.Cancellation;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.StartFilter;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Finds the matches of a row from left to right by walking the automaton from every start that the
 * filter lets through. Reads off-heap bytes by address. Not thread-safe.
 */
@Internal
public final class Scanner {

    /** Automaton steps a row may take for each of its bytes, and besides. */
    static final int STEPS_PER_BYTE = 48;

    static final int FREE_STEPS = 4096;

    /**
     * Of the steps for a byte, those that may be taken only from starts behind it: a hostile row is given up
     * within its first sixth, rather than when all its steps are gone.
     */
    static final int LATER_STEPS_PER_BYTE = 40;

    private final long[] masks;
    private final long endMask;
    private final long[] initial;
    private final byte[] classOf;
    private final char[] next;
    private final int strideShift;
    private final int endClass;
    private final int finalLimit;
    private final int matchLimit;
    private final int startStateAtStart;
    private final char[] startStateAfter;
    private final char[] firstTwo;
    private final int[] firstTwoPlaces;
    private final Dfa dfa;
    private final Rivals rivals;
    private final RivalWalk[] rivalWalks;

    private long base;
    private int rowStart;
    private int rowEnd;
    private int lastOfTwo;
    private long stepsLeft;

    /** So many are left when it is time to see whether anyone wants the result. */
    private long stepsLeftAtCheck;

    private int start;
    private int end;
    private int rule;

    /**
     * @param dfa of all rules, or of those that can match in the rows to come
     * @param rivals of the rule set
     */
    public Scanner(Dfa dfa, Rivals rivals) {
        StartFilter filter = new StartFilter(dfa);
        this.masks = filter.masks();
        this.endMask = filter.endMask();
        this.initial = filter.initial();
        this.dfa = dfa;
        this.classOf = dfa.classTable();
        this.next = dfa.transitionTable();
        this.strideShift = dfa.strideShift();
        this.endClass = dfa.endClass();
        this.finalLimit = dfa.finalLimit();
        this.matchLimit = dfa.matchLimit();
        this.startStateAtStart = dfa.startStateAfter(Dfa.NOTHING);
        this.startStateAfter = dfa.startStatesAfterBytes();
        FirstTwo two = new FirstTwo(dfa);
        this.firstTwo = two.states();
        this.firstTwoPlaces = two.places();
        this.rivals = rivals;
        this.rivalWalks = rivals.automata().stream().map(RivalWalk::new).toArray(RivalWalk[]::new);
    }

    /** Takes on the row of bytes at {@code base + rowStart} to {@code base + rowEnd}. */
    public void startRow(long base, int rowStart, int rowEnd) {
        this.base = base;
        this.rowStart = rowStart;
        this.rowEnd = rowEnd;
        this.lastOfTwo = firstTwo.length == 0 ? rowStart : rowEnd - 1;
        this.stepsLeft = FREE_STEPS + (long) STEPS_PER_BYTE * (rowEnd - rowStart);
        this.stepsLeftAtCheck = stepsLeft - Cancellation.INTERVAL;
    }

    /**
     * Finds the leftmost match at {@code from} or after it.
     *
     * @return false if there is none, or if the row ran out of steps: then {@link #isOverBudget()}, and
     *     {@link #start()} is where to go on
     */
    public boolean find(int from) {
        final long[] masks = this.masks;
        final long base = this.base;
        final int rowEnd = this.rowEnd;
        long seen = initial[from == rowStart ? Dfa.NOTHING : byteAt(base, from - 1)];
        for (int i = from; i < rowEnd; i++) {
            seen = seen << StartFilter.STAGE_SHIFT | masks[byteAt(base, i)];
            if (seen >>> StartFilter.LAST_STAGE != StartFilter.NO_TERM) {
                start = i - StartFilter.LOOK_AHEAD;
                if (!canWalk()) {
                    return false;
                }
                if (walk(start)) {
                    return stepsLeft >= 0;
                }
            }
        }
        return findAtEnd(seen);
    }

    /** Likewise, at the starts whose first bytes reach over the row's end. */
    private boolean findAtEnd(long seenInRow) {
        long seen = seenInRow;
        for (int i = rowEnd; i - rowEnd < StartFilter.LOOK_AHEAD; i++) {
            seen = seen << StartFilter.STAGE_SHIFT | endMask;
            if (seen >>> StartFilter.LAST_STAGE != StartFilter.NO_TERM) {
                start = i - StartFilter.LOOK_AHEAD;
                if (!canWalk()) {
                    return false;
                }
                if (walk(start)) {
                    return stepsLeft >= 0;
                }
            }
        }
        return false;
    }

    /** Whether the row has steps left for a walk from {@link #start}; if not, it is over its budget. */
    private boolean canWalk() {
        if (stepsLeft < (long) LATER_STEPS_PER_BYTE * (rowEnd - start)) {
            stepsLeft = -1;
            return false;
        }
        if (stepsLeft < stepsLeftAtCheck) {
            Cancellation.check();
            stepsLeftAtCheck = stepsLeft - Cancellation.INTERVAL;
        }
        return true;
    }

    /**
     * Walks from a start to the end of the longest-lived thread; returns whether there is a match. It is inlined where
     * starts are found, as long as it stays short.
     */
    private boolean walk(int candidate) {
        final long base = this.base;
        final char[] next = this.next;
        final byte[] classOf = this.classOf;
        final int strideShift = this.strideShift;
        final int matchLimit = this.matchLimit;
        final int rowEnd = this.rowEnd;
        int matchState = Dfa.DEAD;
        int pos = candidate;
        int before = candidate == rowStart ? Dfa.NOTHING : byteAt(base, candidate - 1);
        int state;
        if (candidate < lastOfTwo) {
            int first = classOf[byteAt(base, candidate)] & 0xff;
            int second = classOf[byteAt(base, candidate + 1)] & 0xff;
            state = firstTwo[firstTwoPlaces[before] + (first << strideShift) + second];
            pos += 2;
            if (state == FirstTwo.MAY_MATCH) {
                state = startStateAfter(before);
                pos = candidate;
            }
        } else {
            state = startStateAfter(before);
        }
        for (; ; pos++) {
            int symbol = pos < rowEnd ? classOf[byteAt(base, pos)] & 0xff : endClass;
            state = next[(state << strideShift) + symbol];
            if (state < matchLimit) {
                if (state == Dfa.DEAD) {
                    break;
                }
                matchState = state;
                end = pos - dfa.backOff(state);
                if (state < finalLimit) {
                    break;
                }
            }
        }
        stepsLeft -= pos - candidate + 1;
        if (matchState == Dfa.DEAD) {
            return false;
        }
        rule = dfa.rule(matchState);
        return true;
    }

    private int startStateAfter(int before) {
        return before == Dfa.NOTHING ? startStateAtStart : startStateAfter[before];
    }

    /**
     * Finds the match of the next rule that matches where the last match starts.
     *
     * @return false if there is none, or if the row ran out of steps: then {@link #isOverBudget()}, and
     *     {@link #start()} is where to go on
     */
    boolean findRival() {
        int automaton = rivals.of(rule);
        if (automaton == Rivals.UNKNOWN) {
            stepsLeft = -1;
        }
        if (automaton < 0) {
            return false;
        }
        RivalWalk walk = rivalWalks[automaton];
        boolean matches = walk.matches(base, rowStart, rowEnd, start);
        stepsLeft -= walk.steps();
        if (matches) {
            end = walk.end();
            rule = walk.rule();
        }
        return matches && stepsLeft >= 0;
    }

    /** Takes steps from the row's for work on its last match; if there are not so many, it is over its budget. */
    void spend(int steps) {
        stepsLeft -= steps;
    }

    /** Whether a search gave up at {@link #start()}. */
    boolean isOverBudget() {
        return stepsLeft < 0;
    }

    int start() {
        return start;
    }

    public int end() {
        return end;
    }

    int rule() {
        return rule;
    }

    private static int byteAt(long base, int offset) {
        return MemoryUtil.getByte(base + offset) & 0xff;
    }
}
