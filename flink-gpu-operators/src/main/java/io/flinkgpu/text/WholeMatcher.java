package io.flinkgpu.text;

import java.io.Serializable;

/**
 * Whether a whole text matches a regular expression: an automaton that reads each byte once. Bytes that
 * are not valid UTF-8 match nothing. Immutable.
 */
public final class WholeMatcher implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The state that no text leaves and that does not accept. */
    public static final int DEAD = 0;

    private WholeMatcher() {}

    /**
     * Compiles an expression of the syntax that rules have; it may also match the empty text.
     *
     * @throws IllegalArgumentException with the offset, what is wrong, and what to write instead
     */
    public static WholeMatcher compile(String regex) {
        throw new UnsupportedOperationException();
    }

    public int startState() {
        throw new UnsupportedOperationException();
    }

    public int states() {
        throw new UnsupportedOperationException();
    }

    /** {@code next(state, byte)} is {@code table[state * 256 + byte]}... see {@link #classTable()}. */
    public int next(int state, int byteValue) {
        throw new UnsupportedOperationException();
    }

    /** Whether a text that ends in this state matches. */
    public boolean accepts(int state) {
        throw new UnsupportedOperationException();
    }

    /** 256 byte classes. */
    public byte[] classTable() {
        throw new UnsupportedOperationException();
    }

    /** The next states, {@code (state << strideShift()) + class}. */
    public char[] transitionTable() {
        throw new UnsupportedOperationException();
    }

    public int strideShift() {
        throw new UnsupportedOperationException();
    }
}
