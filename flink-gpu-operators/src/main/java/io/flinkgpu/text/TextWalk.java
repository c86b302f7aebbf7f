package io.flinkgpu.text;

import io.flinkgpu.text.automaton.Cancellation;
import io.flinkgpu.text.automaton.Dfa;

/**
 * Finds the matches of a part of a rule set in a text on the heap by walking the automata from each start, within a
 * budget of steps: what the backend does for rows, for the few texts that are finished on the host. Rules are numbered
 * as in the part. Not thread-safe.
 */
final class TextWalk {

    private static final int STEPS_PER_BYTE = 48;
    private static final int FREE_STEPS = 4096;

    /** Of the steps for a byte, those that may be taken only from starts behind it: a hostile text is given up early. */
    private static final int LATER_STEPS_PER_BYTE = 40;

    private final Dfa all;
    private final char[] startStates;
    private final Rivals rivals;
    private final Dfa[] rivalAutomata;
    private byte[] text;
    private int length;
    private long stepsLeft;
    private long stepsLeftAtCheck;

    /** Where no match starts before or after. */
    private int firstStart;

    private int lastStart;
    private int start;
    private int end;
    private int rule;

    TextWalk(RulePart part) {
        all = part.dfa();
        startStates = all.startStatesAfterBytes();
        rivals = part.rivals();
        rivalAutomata = rivals.automata().toArray(Dfa[]::new);
    }

    /** Takes on a text, in which bytes that are no UTF-8 are marked. */
    void reset(byte[] text, int length) {
        this.text = text;
        this.length = length;
        stepsLeft = FREE_STEPS + (long) STEPS_PER_BYTE * length;
        stepsLeftAtCheck = stepsLeft - Cancellation.INTERVAL;
        firstStart = 0;
        lastStart = length - 1;
    }

    /** Says that no match of the text starts before an offset. */
    void startNotBefore(int offset) {
        firstStart = offset;
    }

    /** Says that no match of the text starts after an offset. */
    void startNotAfter(int offset) {
        lastStart = offset;
    }

    void release() {
        text = null;
    }

    /** Finds the leftmost match at an offset or after it; false if there is none, or {@link #isOverBudget}. */
    boolean find(int from) {
        for (start = Math.max(from, firstStart); start <= lastStart; start++) {
            if (stepsLeft < (long) LATER_STEPS_PER_BYTE * (length - start)) {
                giveUp();
                return false;
            }
            if (matches(
                    all,
                    start == 0
                            ? all.startStateAfter(Dfa.NOTHING)
                            : startStates[text[start - 1] & 0xff])) {
                return stepsLeft >= 0;
            }
            if (stepsLeft < stepsLeftAtCheck) {
                Cancellation.check();
                stepsLeftAtCheck = stepsLeft - Cancellation.INTERVAL;
            }
        }
        return false;
    }

    /** Finds the match of the next rule that matches where the last match starts; false as with {@link #find}. */
    boolean findLater() {
        int automaton = rivals.of(rule);
        if (automaton == Rivals.UNKNOWN) {
            giveUp();
        }
        if (automaton < 0) {
            return false;
        }
        Dfa dfa = rivalAutomata[automaton];
        int before = start == 0 ? Dfa.NOTHING : text[start - 1] & 0xff;
        return matches(dfa, dfa.startStateAfter(before)) && stepsLeft >= 0;
    }

    private boolean matches(Dfa dfa, int startState) {
        int state = startState;
        int matchState = Dfa.DEAD;
        int at = start;
        for (; ; at++) {
            int symbol = at < length ? dfa.classOf(text[at] & 0xff) : dfa.endClass();
            state = dfa.next(state, symbol);
            if (state < dfa.matchLimit()) {
                if (state == Dfa.DEAD) {
                    break;
                }
                matchState = state;
                end = at - dfa.backOff(state);
                if (state < dfa.finalLimit()) {
                    break;
                }
            }
        }
        stepsLeft -= 1L + at - start;
        if (matchState == Dfa.DEAD) {
            return false;
        }
        rule = dfa.rule(matchState);
        return true;
    }

    /** Has no steps left. */
    void giveUp() {
        stepsLeft = -1;
    }

    /** Takes steps for work on the last match. */
    void spend(int steps) {
        stepsLeft -= steps;
    }

    boolean isOverBudget() {
        return stepsLeft < 0;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    int rule() {
        return rule;
    }
}
