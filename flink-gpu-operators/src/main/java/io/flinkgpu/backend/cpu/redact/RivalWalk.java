package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.text.automaton.Dfa;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Walks an automaton of rivals, or of a rule at one of its texts, from one start in a row of off-heap bytes: what {@link
 * Scanner} does for each start, apart from it, as what is rare must not slow down what is not. Not thread-safe.
 */
final class RivalWalk {

    private final Dfa dfa;
    private final byte[] classOf;
    private final char[] next;
    private final int strideShift;
    private final int endClass;
    private final int finalLimit;
    private final int matchLimit;
    private final int startStateAtStart;
    private final char[] startStateAfter;

    private int end;
    private int rule;
    private long steps;

    RivalWalk(Dfa dfa) {
        this.dfa = dfa;
        this.classOf = dfa.classTable();
        this.next = dfa.transitionTable();
        this.strideShift = dfa.strideShift();
        this.endClass = dfa.endClass();
        this.finalLimit = dfa.finalLimit();
        this.matchLimit = dfa.matchLimit();
        this.startStateAtStart = dfa.startStateAfter(Dfa.NOTHING);
        this.startStateAfter = dfa.startStatesAfterBytes();
    }

    /**
     * Walks to the end of the longest-lived thread.
     *
     * @return whether a match starts there; then {@link #end()} and {@link #rule()} describe it
     */
    boolean matches(long base, int rowStart, int rowEnd, int start) {
        final char[] next = this.next;
        final byte[] classOf = this.classOf;
        final int strideShift = this.strideShift;
        final int matchLimit = this.matchLimit;
        int state =
                start == rowStart
                        ? startStateAtStart
                        : startStateAfter[MemoryUtil.getByte(base + start - 1) & 0xff];
        int matchState = Dfa.DEAD;
        int pos = start;
        for (; ; pos++) {
            int symbol =
                    pos < rowEnd ? classOf[MemoryUtil.getByte(base + pos) & 0xff] & 0xff : endClass;
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
        steps = 1L + pos - start;
        if (matchState == Dfa.DEAD) {
            return false;
        }
        rule = dfa.rule(matchState);
        return true;
    }

    int end() {
        return end;
    }

    int rule() {
        return rule;
    }

    /** Steps of the last walk. */
    long steps() {
        return steps;
    }
}
