package io.flinkgpu.backend.cpu;

import io.flinkgpu.text.WholeMatcher;

import org.apache.arrow.memory.util.MemoryUtil;

/** Walks the automaton of a regular expression over off-heap bytes. */
final class Automaton {

    private final int start;
    private final byte[] classOf;
    private final char[] next;
    private final int strideShift;
    private final boolean[] accepts;

    Automaton(WholeMatcher matcher) {
        start = matcher.startState();
        classOf = matcher.classTable();
        next = matcher.transitionTable();
        strideShift = matcher.strideShift();
        accepts = new boolean[matcher.states()];
        for (int state = 0; state < accepts.length; state++) {
            accepts[state] = matcher.accepts(state);
        }
    }

    boolean matches(long address, int length) {
        int state = start;
        for (int i = 0; i < length && state != WholeMatcher.DEAD; i++) {
            int symbol = classOf[MemoryUtil.getByte(address + i) & 0xff] & 0xff;
            state = next[(state << strideShift) + symbol];
        }
        return accepts[state];
    }
}
