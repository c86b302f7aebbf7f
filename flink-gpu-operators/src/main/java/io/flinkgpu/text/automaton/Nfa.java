package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A Thompson automaton over bytes with ordered alternatives, as flat arrays. Immutable.
 *
 * <p>A state is one of four kinds. Edges of a {@link #BYTES} state have disjoint byte ranges in
 * ascending order; those of an {@link #ANY_OF} state are in order of preference. No cycle is free of
 * {@link #BYTES} states.
 *
 * @param kind of each state
 * @param argument the assertion of a LOOK state; {@code rule << 2 | backOff} of a MATCH state
 * @param edges where each state's edges start in the edge arrays; one more entry than states
 * @param target where each edge leads
 * @param low the least byte of each edge of a BYTES state
 * @param high the greatest byte of each edge of a BYTES state
 * @param start the start state
 * @param ruleStarts where each rule starts, in order of preference
 */
@Internal
public record Nfa(
        byte[] kind,
        int[] argument,
        int[] edges,
        int[] target,
        byte[] low,
        byte[] high,
        int start,
        int[] ruleStarts)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Reads a byte and follows the edge that holds it. */
    static final byte BYTES = 0;

    /** Follows any edge, the earlier preferred. */
    static final byte ANY_OF = 1;

    /** Follows its one edge if its assertion holds. */
    static final byte LOOK = 2;

    /** A rule has matched. */
    static final byte MATCH = 3;

    /** {@code ^}. */
    static final int AT_BEGIN = 0;

    /** Not after a carriage return. */
    static final int NOT_AFTER_CR = 1;

    /** {@code \z}. The first kind that depends on what follows. */
    static final int AT_END = 2;

    /** {@code \b}. */
    static final int WORD_BOUNDARY = 3;

    /** {@code \B}. */
    static final int NOT_WORD_BOUNDARY = 4;

    /** A byte follows that is no word byte. */
    static final int NEXT_OTHER = 0;

    /** A word byte follows. */
    static final int NEXT_WORD = 1;

    /** The end of the row follows. */
    static final int NEXT_END = 2;

    int states() {
        return kind.length;
    }

    /** The state after a byte (0 to 255) read in a BYTES state, or -1. */
    int step(int state, int byteValue) {
        int from = edges[state];
        int to = edges[state + 1];
        while (from < to) {
            int middle = from + to >>> 1;
            if (byteValue > (high[middle] & 0xff)) {
                from = middle + 1;
            } else if (byteValue < (low[middle] & 0xff)) {
                to = middle;
            } else {
                return target[middle];
            }
        }
        return -1;
    }

    /**
     * Where each state leads after an ASCII byte that it reads, whichever that is; -1 if that depends on the
     * byte, or if it reads none.
     */
    int[] asciiTargets() {
        int[] targets = new int[kind.length];
        Arrays.fill(targets, -1);
        for (int state = 0; state < kind.length; state++) {
            int first = edges[state];
            boolean isOne = kind[state] == BYTES && first < edges[state + 1] && low[first] >= 0;
            for (int edge = first; isOne && edge < edges[state + 1] && low[edge] >= 0; edge++) {
                isOne = target[edge] == target[first];
            }
            targets[state] = isOne ? target[first] : -1;
        }
        return targets;
    }

    /** Whether any LOOK state has this assertion. */
    boolean uses(int assertion) {
        for (int state = 0; state < kind.length; state++) {
            if (kind[state] == LOOK && argument[state] == assertion) {
                return true;
            }
        }
        return false;
    }

    /** What a byte that follows is to assertions. */
    static int nextKind(int byteValue) {
        return Dfa.isWordByte(byteValue) ? NEXT_WORD : NEXT_OTHER;
    }

    /** Whether an assertion depends on what follows. */
    static boolean looksAhead(int assertion) {
        return assertion >= AT_END;
    }

    /**
     * Whether an assertion holds.
     *
     * @param context what precedes, one of {@link Dfa}'s contexts
     * @param nextKind what follows; any value if the assertion does not look ahead
     */
    static boolean holds(int assertion, int context, int nextKind) {
        return switch (assertion) {
            case AT_BEGIN -> context == Dfa.AT_START;
            case NOT_AFTER_CR -> context != Dfa.AFTER_CR;
            case AT_END -> nextKind == NEXT_END;
            case WORD_BOUNDARY -> (context == Dfa.AFTER_WORD) != (nextKind == NEXT_WORD);
            default -> (context == Dfa.AFTER_WORD) == (nextKind == NEXT_WORD);
        };
    }
}
