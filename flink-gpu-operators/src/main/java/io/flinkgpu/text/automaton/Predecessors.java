package io.flinkgpu.text.automaton;

import java.util.Arrays;

/** The edges of an {@link Nfa} by the state they lead to. */
final class Predecessors {

    private final int[] matches;
    private final int[] readersFrom;
    private final int[] readers;
    private final short[] lowClass;
    private final short[] highClass;
    private final int[] emptiesFrom;
    private final int[] empties;

    Predecessors(Nfa nfa, ByteClasses classes) {
        int states = nfa.states();
        readersFrom = new int[states + 2];
        emptiesFrom = new int[states + 2];
        int[] found = new int[states];
        int count = 0;
        for (int state = 0; state < states; state++) {
            if (nfa.kind()[state] == Nfa.MATCH) {
                found[count++] = state;
            }
            for (int edge = nfa.edges()[state]; edge < nfa.edges()[state + 1]; edge++) {
                (nfa.kind()[state] == Nfa.BYTES ? readersFrom : emptiesFrom)
                        [nfa.target()[edge] + 2]++;
            }
        }
        matches = Arrays.copyOf(found, count);
        for (int i = 2; i < states + 2; i++) {
            readersFrom[i] += readersFrom[i - 1];
            emptiesFrom[i] += emptiesFrom[i - 1];
        }
        readers = new int[readersFrom[states + 1]];
        lowClass = new short[readers.length];
        highClass = new short[readers.length];
        empties = new int[emptiesFrom[states + 1]];
        for (int state = 0; state < states; state++) {
            for (int edge = nfa.edges()[state]; edge < nfa.edges()[state + 1]; edge++) {
                int target = nfa.target()[edge];
                if (nfa.kind()[state] == Nfa.BYTES) {
                    int at = readersFrom[target + 1]++;
                    readers[at] = state;
                    lowClass[at] = (short) classes.classOf(nfa.low()[edge] & 0xff);
                    highClass[at] = (short) classes.classOf(nfa.high()[edge] & 0xff);
                } else {
                    empties[emptiesFrom[target + 1]++] = state;
                }
            }
        }
    }

    /** The states that match a rule; not to be written to. */
    int[] matches() {
        return matches;
    }

    /** The number of the first edge that reads a byte and leads to a state. */
    int firstReader(int state) {
        return readersFrom[state];
    }

    /** Where such an edge comes from. */
    int reader(int edge) {
        return readers[edge];
    }

    /** Whether such an edge reads the bytes of a class. */
    boolean reads(int edge, int byteClass) {
        return byteClass >= lowClass[edge] && byteClass <= highClass[edge];
    }

    /** The number of the first edge that reads nothing and leads to a state. */
    int firstEmpty(int state) {
        return emptiesFrom[state];
    }

    /** Where such an edge comes from. */
    int empty(int edge) {
        return empties[edge];
    }
}
