package io.flinkgpu.backend.cpu.redact;

import io.flinkgpu.text.automaton.Dfa;

import java.util.ArrayList;
import java.util.List;

/**
 * The state of an automaton after the first two bytes of a start, in one look-up: most walks are of a few steps, each of
 * which waits for the one before.
 */
final class FirstTwo {

    /** In place of a state: the first bytes have to be walked, as a match may end there. No automaton has so many states. */
    static final char MAY_MATCH = Character.MAX_VALUE;

    /** Automata with larger tables go without. */
    private static final int MOST_STATES = 1 << 16;

    private final char[] states;
    private final int[] places;

    FirstTwo(Dfa dfa) {
        List<Integer> starts = new ArrayList<>();
        places = new int[Dfa.NOTHING + 1];
        int shift = dfa.strideShift();
        for (int before = 0; before <= Dfa.NOTHING; before++) {
            int start = dfa.startStateAfter(before);
            if (!starts.contains(start)) {
                starts.add(start);
            }
            places[before] = starts.indexOf(start) << 2 * shift;
        }
        boolean fits = starts.size() << 2 * shift <= MOST_STATES;
        states = new char[fits ? starts.size() << 2 * shift : 0];
        for (int start = 0; fits && start < starts.size(); start++) {
            for (int first = 0; first < dfa.endClass(); first++) {
                int at = (start << shift) + first << shift;
                fill(dfa, dfa.next(starts.get(start), first), at);
            }
        }
    }

    private void fill(Dfa dfa, int first, int at) {
        for (int second = 0; second < dfa.endClass(); second++) {
            int state = dfa.next(first, second);
            states[at + second] =
                    mayMatch(dfa, first) || mayMatch(dfa, state) ? MAY_MATCH : (char) state;
        }
    }

    private static boolean mayMatch(Dfa dfa, int state) {
        return state != Dfa.DEAD && state < dfa.matchLimit();
    }

    /**
     * The state by where the byte in front has its place, and by the classes of the two bytes, each in as many bits as the
     * automaton's stride; empty if the automaton has too many. Not to be written to.
     */
    char[] states() {
        return states;
    }

    /** The place of each byte that may be in front, and of {@link Dfa#NOTHING}; not to be written to. */
    int[] places() {
        return places;
    }
}
