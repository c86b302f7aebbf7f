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
 * @param argument the assertion of a LOOK state; {@code rule << 2 | backOff} of a MATCH state; {@link
 *     #GROUP_OPENS}, {@link #GROUP_CLOSES} or 0 of an ANY_OF state
 * @param edges where each state's edges start in the edge arrays; one more entry than states
 * @param target where each edge leads
 * @param low the least byte of each edge of a BYTES state
 * @param high the greatest byte of each edge of a BYTES state
 * @param start the start state
 * @param ruleStarts where each rule starts, in order of preference
 * @param neighbors the set of each assertion about a neighbour: a bit for each byte value, and one for
 *     {@link Dfa#NOTHING}
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
        int[] ruleStarts,
        long[][] neighbors)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Reads a byte and follows the edge that holds it. */
    static final byte BYTES = 0;

    /** Follows any edge, the earlier preferred. */
    static final byte ANY_OF = 1;

    /** Here a rule's group starts. */
    static final int GROUP_OPENS = 1;

    /** Here a rule's group ends. */
    static final int GROUP_CLOSES = 2;

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

    /** The first of the assertions about neighbours; even ones look behind, odd ones ahead. */
    static final int FIRST_NEIGHBOR = 6;

    public int states() {
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

    /** The assertion that a byte of a neighbour's set precedes or follows. */
    static int neighborAssertion(int neighbor, boolean behind) {
        return FIRST_NEIGHBOR + 2 * neighbor + (behind ? 0 : 1);
    }

    /** Whether an assertion depends on what follows. */
    static boolean looksAhead(int assertion) {
        return assertion >= FIRST_NEIGHBOR ? (assertion & 1) != 0 : assertion >= AT_END;
    }

    /** Whether a neighbour's set holds a symbol. */
    boolean neighborHolds(int neighbor, int symbol) {
        return (neighbors[neighbor][symbol >> 6] >>> symbol & 1) != 0;
    }

    /**
     * Whether an assertion holds.
     *
     * @param before the byte in front, or {@link Dfa#NOTHING}
     * @param next the byte that follows, or {@link Dfa#NOTHING}; any if the assertion does not look ahead
     */
    boolean holds(int assertion, int before, int next) {
        return switch (assertion) {
            case AT_BEGIN -> before == Dfa.NOTHING;
            case NOT_AFTER_CR -> before != '\r';
            case AT_END -> next == Dfa.NOTHING;
            case WORD_BOUNDARY -> Dfa.isWordByte(before) != Dfa.isWordByte(next);
            case NOT_WORD_BOUNDARY -> Dfa.isWordByte(before) == Dfa.isWordByte(next);
            default ->
                    neighborHolds(
                            assertion - FIRST_NEIGHBOR >> 1, looksAhead(assertion) ? next : before);
        };
    }
}
