package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.Rivals;
import io.flinkgpu.text.RulePart;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.Prefilter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The automaton of all rules of a part, the lean one of the {@link Prefilter} and those of {@link Rivals} as one
 * table: walks of them differ only in their start states. States are numbered as in {@link Dfa}, in each
 * group those of all rules first:
 *
 * <pre>
 *   dead | final: all, lean, rivals | match: all, lean, rivals | others: all, lean, rivals
 * </pre>
 *
 * What there is no room for is left out, all of the rivals' automata or the lean one. Immutable.
 */
final class MergedDfa {

    private static final int MAX_STATES = 65_536;

    private final int[] rulesOfSet;
    private final List<Dfa> parts = new ArrayList<>();
    private final boolean hasLean;
    private final Rivals rivals;
    private final int firstRival;
    private final int gateByte;
    private final byte[] classOf = new byte[256];
    private final int endClass;
    private final int strideShift;
    private final int finalLimit;
    private final int matchLimit;
    private final char[] next;
    private final char[] matchRules;
    private final byte[] matchBackOffs;

    /** The number of each part's first final state, other match and other state. */
    private final List<int[]> groups = new ArrayList<>();

    MergedDfa(RulePart of) {
        rulesOfSet = of.rules();
        parts.add(of.dfa());
        Prefilter prefilter = of.prefilter();
        hasLean = prefilter != null && add(List.of(prefilter.dfaWithoutIt()));
        gateByte = hasLean ? prefilter.requiredByte() : RedactAbi.NO_GATE;
        rivals = of.rivals();
        firstRival = parts.size();
        add(rivals.automata());
        Map<List<Integer>, Integer> numbers = new HashMap<>();
        for (int b = 0; b < 256; b++) {
            int byteValue = b;
            List<Integer> classes = parts.stream().map(dfa -> dfa.classOf(byteValue)).toList();
            Integer known = numbers.putIfAbsent(classes, numbers.size());
            classOf[b] = (byte) (known == null ? numbers.size() - 1 : known);
        }
        endClass = numbers.size();
        strideShift = 32 - Integer.numberOfLeadingZeros(endClass);
        finalLimit = 1 + parts.stream().mapToInt(dfa -> dfa.finalLimit() - 1).sum();
        matchLimit = 1 + parts.stream().mapToInt(dfa -> dfa.matchLimit() - 1).sum();
        next = new char[states(parts) << strideShift];
        matchRules = new char[matchLimit];
        matchBackOffs = new byte[matchLimit];
        int[] group = {1, finalLimit, matchLimit};
        for (Dfa part : parts) {
            groups.add(group.clone());
            group[0] += part.finalLimit() - 1;
            group[1] += part.matchLimit() - part.finalLimit();
            group[2] += part.states() - part.matchLimit();
        }
        for (int part = 0; part < parts.size(); part++) {
            put(part);
        }
    }

    /** Adds automata if there is room for them all; returns whether there is. */
    private boolean add(List<Dfa> more) {
        boolean fits = states(parts) + states(more) - 1 <= MAX_STATES;
        if (fits) {
            parts.addAll(more);
        }
        return fits;
    }

    /** The dead state is the same in all. */
    private static int states(List<Dfa> automata) {
        return 1 + automata.stream().mapToInt(dfa -> dfa.states() - 1).sum();
    }

    private void put(int part) {
        Dfa dfa = parts.get(part);
        char[] numbers = new char[dfa.states()];
        for (int state = 0; state < numbers.length; state++) {
            numbers[state] = (char) number(part, state);
        }
        int[] symbols = symbols(dfa);
        for (int state = 0; state < numbers.length; state++) {
            int row = numbers[state] << strideShift;
            for (int symbol = 0; symbol <= endClass; symbol++) {
                next[row + symbol] = numbers[dfa.next(state, symbols[symbol])];
            }
        }
        for (int state = 1; state < dfa.matchLimit(); state++) {
            matchRules[numbers[state]] = (char) rulesOfSet[dfa.rule(state)];
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

    private int number(int part, int state) {
        Dfa dfa = parts.get(part);
        if (state == Dfa.DEAD) {
            return Dfa.DEAD;
        }
        int[] group = groups.get(part);
        if (state < dfa.finalLimit()) {
            return group[0] + state - 1;
        }
        return state < dfa.matchLimit()
                ? group[1] + state - dfa.finalLimit()
                : group[2] + state - dfa.matchLimit();
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
        return startState(0, context);
    }

    /** Where a walk starts if the rest of its row does not have the gate byte. */
    int leanStartState(int context) {
        return startState(hasLean ? 1 : 0, context);
    }

    /** What is known of the rivals of a rule of the part, one of {@link RedactAbi}'s constants. */
    int rivals(int rule) {
        int automaton = rivals.of(rule);
        if (automaton == Rivals.NONE) {
            return RedactAbi.RIVALS_NONE;
        }
        boolean walked = automaton >= 0 && firstRival + automaton < parts.size();
        return walked ? RedactAbi.RIVALS_WALKED : RedactAbi.RIVALS_UNKNOWN;
    }

    /** Where a walk for a rule's rivals starts, if they are {@link RedactAbi#RIVALS_WALKED}. */
    int rivalStartState(int rule, int context) {
        return startState(firstRival + rivals.of(rule), context);
    }

    private int startState(int part, int context) {
        return number(part, parts.get(part).startState(context));
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

    /** The rule of each state below the match limit, by its index in the set. */
    char[] matchRules() {
        return matchRules;
    }

    /** How far before the last symbol the match ended, of each state below the match limit. */
    byte[] matchBackOffs() {
        return matchBackOffs;
    }
}
