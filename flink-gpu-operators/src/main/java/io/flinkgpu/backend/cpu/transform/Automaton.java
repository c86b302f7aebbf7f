package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.text.WholeMatcher;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Walks the automaton of a regular expression over off-heap bytes. */
@Internal
public final class Automaton {

    private final int start;
    private final byte[] classOf;
    private final char[] next;
    private final int strideShift;
    private final boolean[] accepts;

    public Automaton(WholeMatcher matcher) {
        start = matcher.startState();
        classOf = matcher.classTable();
        next = matcher.transitionTable();
        strideShift = matcher.strideShift();
        accepts = new boolean[matcher.states()];
        for (int state = 0; state < accepts.length; state++) {
            accepts[state] = matcher.accepts(state);
        }
    }

    public boolean matches(long address, int length) {
        int state = start;
        for (int i = 0; i < length && state != WholeMatcher.DEAD; i++) {
            state = next(state, MemoryUtil.getByte(address + i) & 0xff);
        }
        return accepts[state];
    }

    /** As of the bytes of a part of a text; an unpaired surrogate is three bytes that match nothing. */
    public boolean matches(String text, int begin, int end) {
        int state = start;
        for (int i = begin; i < end && state != WholeMatcher.DEAD; i++) {
            char value = text.charAt(i);
            if (value < 0x80) {
                state = next(state, value);
            } else {
                int codePoint = text.codePointAt(i);
                state = behindSequence(state, codePoint);
                i += Character.charCount(codePoint) - 1;
            }
        }
        return accepts[state];
    }

    private int behindSequence(int state, int codePoint) {
        int more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
        int reached = next(state, 0xff & 0xff80 >> more | codePoint >> 6 * more);
        for (int i = more - 1; i >= 0; i--) {
            reached = next(reached, 0x80 | codePoint >> 6 * i & 0x3f);
        }
        return reached;
    }

    private int next(int state, int unsignedByte) {
        return next[(state << strideShift) + (classOf[unsignedByte] & 0xff)];
    }
}
