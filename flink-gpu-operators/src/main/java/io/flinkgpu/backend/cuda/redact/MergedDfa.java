package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.Prefilter;

import java.util.HashMap;
import java.util.Map;

/**
 * The automaton of all rules and the lean one of the {@link Prefilter} as one table: a walk of either
 * differs only in its start state. States are numbered as in {@link Dfa}, those of all rules first in
 * each group:
 *
 * <pre>
 *   dead | final: all, lean | match: all, lean | others: all, lean
 * </pre>
 *
 * Without a prefilter, or where both together have too many states, there is only the automaton of all rules.
 * Immutable.
 */
final class MergedDfa {

    private static final int MAX_STATES = 65_536;

    private final Dfa all;
    private final Dfa lean;
    private final int gateByte;
    private final byte[] classOf = new byte[256];
    private final int endClass;
    private final int strideShift;
    private final int finalLimit;
    private final int matchLimit;
    private final char[] next;
    private final byte[] matchRules;
    private final byte[] matchBackOffs;

    MergedDfa(CompiledRules rules) {
        all = rules.dfa();
        Prefilter prefilter = rules.prefilter();
        boolean merges =
                prefilter != null
                        && all.states() + prefilter.dfaWithoutIt().states() - 1 <= MAX_STATES;
        lean = merges ? prefilter.dfaWithoutIt() : null;
        gateByte = merges ? prefilter.requiredByte() : RedactAbi.NO_GATE;
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int b = 0; b < 256; b++) {
            int pair = all.classOf(b) << 16 | (merges ? lean.classOf(b) : 0);
            Integer known = numbers.putIfAbsent(pair, numbers.size());
            classOf[b] = (byte) (known == null ? numbers.size() - 1 : known);
        }
        endClass = numbers.size();
        strideShift = 32 - Integer.numberOfLeadingZeros(endClass);
        finalLimit = all.finalLimit() + (merges ? lean.finalLimit() - 1 : 0);
        matchLimit = all.matchLimit() + (merges ? lean.matchLimit() - 1 : 0);
        next = new char[all.states() + (merges ? lean.states() - 1 : 0) << strideShift];
        matchRules = new byte[matchLimit];
        matchBackOffs = new byte[matchLimit];
        put(all);
        if (merges) {
            put(lean);
        }
    }

    private void put(Dfa dfa) {
        char[] numbers = new char[dfa.states()];
        for (int state = 0; state < numbers.length; state++) {
            numbers[state] = (char) number(dfa, state);
        }
        int[] symbols = symbols(dfa);
        for (int state = 0; state < numbers.length; state++) {
            int row = numbers[state] << strideShift;
            for (int symbol = 0; symbol <= endClass; symbol++) {
                next[row + symbol] = numbers[dfa.next(state, symbols[symbol])];
            }
        }
        for (int state = 1; state < dfa.matchLimit(); state++) {
            matchRules[numbers[state]] = (byte) dfa.rule(state);
            matchBackOffs[numbers[state]] = (byte) dfa.backOff(state);
        }
    }

    /** An automaton's own class for each of the common ones. */
    private int[] symbols(Dfa dfa) {
        int[] symbols = new int[endClass + 1];
        for (int b = 0; b < 256; b++) {
            symbols[classOf[b] & 0xff] = dfa.classOf(b);
        }
        symbols[endClass] = dfa.endClass();
        return symbols;
    }

    private int number(Dfa dfa, int state) {
        if (state == Dfa.DEAD) {
            return Dfa.DEAD;
        }
        boolean second = dfa == lean;
        if (state < dfa.finalLimit()) {
            return state + (second ? all.finalLimit() - 1 : 0);
        }
        if (state < dfa.matchLimit()) {
            int before = second ? all.matchLimit() - all.finalLimit() : 0;
            return finalLimit + before + state - dfa.finalLimit();
        }
        int before = second ? all.states() - all.matchLimit() : 0;
        return matchLimit + before + state - dfa.matchLimit();
    }

    /** The byte without which the lean automaton will do, or {@link RedactAbi#NO_GATE}. */
    int gateByte() {
        return gateByte;
    }

    int endClass() {
        return endClass;
    }

    int strideShift() {
        return strideShift;
    }

    int finalLimit() {
        return finalLimit;
    }

    int matchLimit() {
        return matchLimit;
    }

    int startState(int context) {
        return number(all, all.startState(context));
    }

    /** Where a walk starts if the rest of its row does not have the gate byte. */
    int leanStartState(int context) {
        return lean == null ? startState(context) : number(lean, lean.startState(context));
    }

    int classOf(int byteValue) {
        return classOf[byteValue] & 0xff;
    }

    int next(int state, int byteClass) {
        return next[(state << strideShift) + byteClass];
    }

    /** The class of each byte value; not to be written to, like the other tables. */
    byte[] classTable() {
        return classOf;
    }

    char[] transitionTable() {
        return next;
    }

    /** The rule of each state below the match limit. */
    byte[] matchRules() {
        return matchRules;
    }

    /** How far before the last symbol the match ended, of each state below the match limit. */
    byte[] matchBackOffs() {
        return matchBackOffs;
    }
}
