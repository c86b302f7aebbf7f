package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

/**
 * Splits the 256 bytes into ranges that an {@link Nfa} does not tell apart; the ranges are numbered in
 * ascending order.
 */
@Internal
public final class ByteClasses {

    private static final int BYTES = 256;

    private final int[] classOf = new int[BYTES];
    private final int[] firstOf = new int[BYTES];
    private final int count;

    public ByteClasses(Nfa nfa) {
        boolean[] starts = new boolean[BYTES + 1];
        for (int state = 0; state < nfa.states(); state++) {
            if (nfa.kind()[state] == Nfa.BYTES) {
                for (int edge = nfa.edges()[state]; edge < nfa.edges()[state + 1]; edge++) {
                    starts[nfa.low()[edge] & 0xff] = true;
                    starts[(nfa.high()[edge] & 0xff) + 1] = true;
                }
            }
        }
        boolean words = nfa.uses(Nfa.WORD_BOUNDARY) || nfa.uses(Nfa.NOT_WORD_BOUNDARY);
        for (int b = 1; words && b < BYTES; b++) {
            starts[b] |= Dfa.isWordByte(b) != Dfa.isWordByte(b - 1);
        }
        if (nfa.uses(Nfa.NOT_AFTER_CR)) {
            starts['\r'] = true;
            starts['\r' + 1] = true;
        }
        for (int neighbor = 0; neighbor < nfa.neighbors().length; neighbor++) {
            for (int b = 1; b < BYTES; b++) {
                starts[b] |= nfa.neighborHolds(neighbor, b) != nfa.neighborHolds(neighbor, b - 1);
            }
        }
        int classes = 0;
        for (int b = 0; b < BYTES; b++) {
            if (b == 0 || starts[b]) {
                firstOf[classes++] = b;
            }
            classOf[b] = classes - 1;
        }
        count = classes;
    }

    int count() {
        return count;
    }

    int classOf(int byteValue) {
        return classOf[byteValue];
    }

    /** The least byte of a class. */
    int firstOf(int byteClass) {
        return firstOf[byteClass];
    }
}
