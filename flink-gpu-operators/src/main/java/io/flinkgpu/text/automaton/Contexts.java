package io.flinkgpu.text.automaton;

/** Which of {@link Dfa}'s contexts an {@link Nfa} tells apart. */
final class Contexts {

    private final int[] canonical = new int[Dfa.CONTEXTS];

    Contexts(Nfa nfa) {
        boolean words = nfa.uses(Nfa.WORD_BOUNDARY) || nfa.uses(Nfa.NOT_WORD_BOUNDARY);
        canonical[Dfa.AT_START] = nfa.uses(Nfa.AT_BEGIN) ? Dfa.AT_START : Dfa.AFTER_OTHER;
        canonical[Dfa.AFTER_OTHER] = Dfa.AFTER_OTHER;
        canonical[Dfa.AFTER_WORD] = words ? Dfa.AFTER_WORD : Dfa.AFTER_OTHER;
        canonical[Dfa.AFTER_CR] = nfa.uses(Nfa.NOT_AFTER_CR) ? Dfa.AFTER_CR : Dfa.AFTER_OTHER;
    }

    /** The context that stands for all contexts the automaton does not distinguish from this one. */
    int canonical(int context) {
        return canonical[context];
    }

    /** The canonical context that a byte (0 to 255) leaves after it. */
    int after(int byteValue) {
        return canonical[Dfa.contextOf(byteValue)];
    }
}
