package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

/**
 * An automaton under construction. State 0 is dead.
 *
 * @param symbols symbols a state has transitions for: byte classes, then the end of the row
 * @param next {@code next[state * symbols + symbol]}
 * @param match what each state has matched: 0 nothing, else {@code (rule << 2 | backOff) + 1}
 * @param start the start state after each byte value and after {@link Dfa#NOTHING}
 */
@Internal
public record StateTable(int symbols, int[] next, int[] match, int[] start) {

    int states() {
        return match.length;
    }

    int next(int state, int symbol) {
        return next[state * symbols + symbol];
    }
}
