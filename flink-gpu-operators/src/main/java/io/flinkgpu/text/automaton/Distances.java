package io.flinkgpu.text.automaton;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * How many code points walks have read when they come to a state of an automaton. Where that is one number
 * alone, as within {@code \S{20}} at the start of a rule, no walks from two starts come to the state at one
 * position, so there is nothing to remember of it. Immutable.
 */
final class Distances {

    private static final int UNREACHED = -1;
    private static final int SEVERAL = -2;
    private static final int FIRST_CONTINUATION = 0x80;
    private static final int LAST_CONTINUATION = 0xbf;

    private final int[] distance;

    Distances(Nfa nfa) {
        distance = new int[nfa.states()];
        Arrays.fill(distance, UNREACHED);
        ArrayDeque<Integer> changed = new ArrayDeque<>();
        reach(nfa.start(), 0, changed);
        while (!changed.isEmpty()) {
            int state = changed.remove();
            for (int edge = nfa.edges()[state]; edge < nfa.edges()[state + 1]; edge++) {
                reach(nfa.target()[edge], after(nfa, state, edge), changed);
            }
        }
    }

    /** A state changes at most twice. */
    private void reach(int state, int at, ArrayDeque<Integer> changed) {
        int known = distance[state];
        int merged = known == UNREACHED || known == at ? at : SEVERAL;
        if (merged != known) {
            distance[state] = merged;
            changed.add(state);
        }
    }

    private int after(Nfa nfa, int state, int edge) {
        int at = distance[state];
        boolean startsCodePoint =
                nfa.kind()[state] == Nfa.BYTES
                        && ((nfa.low()[edge] & 0xff) < FIRST_CONTINUATION
                                || (nfa.low()[edge] & 0xff) > LAST_CONTINUATION);
        return at != SEVERAL && startsCodePoint ? at + 1 : at;
    }

    /** Whether walks from two starts can come to a state at one position. */
    boolean canMeet(int state) {
        return distance[state] == SEVERAL;
    }
}
