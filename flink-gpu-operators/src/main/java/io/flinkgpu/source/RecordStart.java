package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.RecordLimits;
import io.flinkgpu.text.WholeMatcher;

import java.io.Serializable;

/**
 * Which lines start a record: those of which some beginning, within the first 4 KiB and without the line's end, is
 * what a pattern matches. Immutable.
 */
record RecordStart(WholeMatcher matcher, RecordLimits limits) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** More of a line is not looked at. */
    static final int MAX_BYTES = 4096;

    /**
     * Compiles a pattern of the syntax that rules have.
     *
     * @throws io.flinkgpu.api.RuleException if it is none
     * @throws IllegalArgumentException if it matches every line
     */
    static RecordStart of(String pattern, RecordLimits limits) {
        WholeMatcher matcher = WholeMatcher.compile(Errors.present("pattern", pattern));
        if (matcher.accepts(matcher.startState())) {
            throw Errors.argument(
                    "a pattern of the start of a record matches at least one character: pattern='%s';"
                            + " as it is, every line starts one",
                    pattern);
        }
        return new RecordStart(matcher, Errors.present("limits", limits));
    }

    /** Whether the line {@code bytes[from, to)} starts a record; what is from a {@code '\n'} on is not of it. */
    boolean matches(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + MAX_BYTES);
        int state = matcher.startState();
        for (int i = from; i < end && bytes[i] != '\n'; i++) {
            state = matcher.next(state, bytes[i] & 0xff);
            if (state == WholeMatcher.DEAD) {
                return false;
            }
            if (matcher.accepts(state)) {
                return true;
            }
        }
        return false;
    }
}
