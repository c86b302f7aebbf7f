package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.Arrays;

/**
 * An anchored leftmost-first byte automaton for all rules together, as flat tables. Immutable.
 *
 * <p>A walk starts at a candidate start with {@link #startStateAfter} of what precedes it, and reads
 * one symbol a step: the class of the next byte, or {@link #endClass()} after the last byte of the
 * row. Matches are seen one symbol late, so that {@code \b} and {@code $} can look ahead:
 *
 * <pre>{@code
 * state = startStateAfter(byte before start, or NOTHING)
 * for (pos = start; ; pos++) {
 *     state = next(state, pos < end ? classOf(bytes[pos]) : endClass())
 *     if (state < matchLimit()) {
 *         if (state == DEAD) break
 *         matchEnd = pos - backOff(state); matchRule = rule(state)   // replaces what was seen before
 *         if (state < finalLimit()) break
 *     }
 * }
 * }</pre>
 *
 * <p>States are numbered so that the two limits are the only comparisons:
 *
 * <pre>
 *   0        1 ... finalLimit-1        finalLimit ... matchLimit-1    matchLimit ... states-1
 *   dead     match, nothing follows    match, a longer one may follow no match
 * </pre>
 *
 * After {@link #endClass()} only dead and final states are entered. See Cox, "Regular Expression
 * Matching in the Wild" (2010) for the ordered subset construction that makes it.
 *
 * @param classTable byte class of each of the 256 byte values; not to be written to, as all tables
 * @param classCount classes, the end class (the last) included
 * @param strideShift log2 of the table's row length, {@code classCount <= 1 << strideShift}
 * @param transitionTable {@code transitionTable[(state << strideShift) + class]}
 * @param finalLimit see above
 * @param ruleOf rule index of each state below {@code matchLimit}; its length is {@code matchLimit}
 * @param backOffOf bytes between the match's end and the position of the symbol, likewise
 * @param startOf the start state after each byte value and after {@link #NOTHING}
 */
@Internal
public record Dfa(
        byte[] classTable,
        int classCount,
        int strideShift,
        char[] transitionTable,
        int finalLimit,
        byte[] ruleOf,
        byte[] backOffOf,
        char[] startOf)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The state no walk leaves. */
    public static final int DEAD = 0;

    /** Nothing precedes: the start of the row. */
    public static final int AT_START = 0;

    /** A byte precedes that is neither a word byte nor a carriage return. */
    public static final int AFTER_OTHER = 1;

    /** One of {@code [0-9A-Za-z_]} precedes. */
    public static final int AFTER_WORD = 2;

    /** A carriage return precedes. */
    public static final int AFTER_CR = 3;

    /** How many kinds of preceding symbol there are where no rule looks behind. */
    public static final int CONTEXTS = 4;

    /** Stands for a byte that is not there: in front of the row, or after it. */
    public static final int NOTHING = 256;

    /** A symbol of each context. */
    private static final int[] IN_CONTEXT = {NOTHING, ' ', 'a', '\r'};

    /** The most states an automaton may have. */
    static final int MAX_STATES = 65_535;

    /** The most bytes its transition table may take. */
    static final int MAX_TABLE_BYTES = 4 << 20;

    /** The context that a byte (0 to 255) leaves behind it. */
    public static int contextOf(int byteValue) {
        if (byteValue == '\r') {
            return AFTER_CR;
        }
        return isWordByte(byteValue) ? AFTER_WORD : AFTER_OTHER;
    }

    /** Whether {@code \w} holds the byte: {@code [0-9A-Za-z_]}, on every JDK. */
    public static boolean isWordByte(int byteValue) {
        return byteValue >= '0' && byteValue <= '9'
                || byteValue >= 'a' && byteValue <= 'z'
                || byteValue >= 'A' && byteValue <= 'Z'
                || byteValue == '_';
    }

    public int states() {
        return transitionTable.length >> strideShift;
    }

    /** The class of the end of the row. */
    public int endClass() {
        return classCount - 1;
    }

    public int matchLimit() {
        return ruleOf.length;
    }

    /** The start state of a context, where no rule looks behind. */
    public int startState(int context) {
        return startOf[IN_CONTEXT[context]];
    }

    /** The start state after a byte value, or after {@link #NOTHING}. */
    public int startStateAfter(int before) {
        return startOf[before];
    }

    /** The start state after each of the 256 byte values; the caller's own. */
    public char[] startStatesAfterBytes() {
        return Arrays.copyOf(startOf, 256);
    }

    public int classOf(int byteValue) {
        return classTable[byteValue] & 0xff;
    }

    public int next(int state, int byteClass) {
        return transitionTable[(state << strideShift) + byteClass];
    }

    /** The rule that a state below {@link #matchLimit()} has matched. */
    public int rule(int state) {
        return ruleOf[state] & 0xff;
    }

    /** How many bytes before the symbol that led here the match ended; 0 to 3. */
    public int backOff(int state) {
        return backOffOf[state];
    }
}
