package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

/** An automaton runs over a limit of its construction. */
@Internal
public final class TooLargeException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * @param limit the limit, to follow "needs more than"
     */
    TooLargeException(String limit) {
        super(limit, null, false, false);
    }
}
