package io.flinkgpu.text;

import io.flinkgpu.text.automaton.Dfa;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * Which rules are tried at a start where a rule's match is refused by its validator or kept by its allow
 * list: the rule's rivals, which are the later rules that can match where it does. Immutable.
 */
@Internal
public final class Rivals implements Serializable {

    private static final long serialVersionUID = 1L;

    /** No later rule can match there. */
    public static final int NONE = -1;

    /** Their automaton would be too large: all that is left is the matcher that walks rule by rule. */
    public static final int UNKNOWN = -2;

    private final int[] automatonOf;
    private final List<Dfa> automata;

    Rivals(int[] automatonOf, List<Dfa> automata) {
        this.automatonOf = automatonOf.clone();
        this.automata = List.copyOf(automata);
    }

    /** The number of the automaton of a rule's rivals, or {@link #NONE}, or {@link #UNKNOWN}. */
    public int of(int rule) {
        return automatonOf[rule];
    }

    /** The automata of all rules' rivals; rule indexes are those of the set. */
    public List<Dfa> automata() {
        return automata;
    }
}
