package io.flinkgpu.text.automaton;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The byte values, and {@link Dfa#NOTHING}, in kinds that the assertions of an {@link Nfa} do not tell apart.
 * Immutable.
 */
final class SymbolKinds {

    private final int[] kindOf = new int[Dfa.NOTHING + 1];
    private final int[] symbolOf;

    private SymbolKinds(Nfa nfa, int[] assertions, boolean inFront) {
        Map<BitSet, Integer> kinds = new HashMap<>();
        List<Integer> symbols = new ArrayList<>();
        for (int symbol = 0; symbol < kindOf.length; symbol++) {
            BitSet holds = new BitSet();
            for (int i = 0; i < assertions.length; i++) {
                // The other side does not matter, as long as it is always the same.
                boolean held =
                        inFront
                                ? nfa.holds(assertions[i], symbol, Dfa.NOTHING)
                                : nfa.holds(assertions[i], Dfa.NOTHING, symbol);
                holds.set(i, held);
            }
            Integer known = kinds.putIfAbsent(holds, kinds.size());
            if (known == null) {
                symbols.add(symbol);
            }
            kindOf[symbol] = known == null ? symbols.size() - 1 : known;
        }
        symbolOf = symbols.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The kinds of what may be in front of a position. */
    static SymbolKinds inFront(Nfa nfa) {
        return new SymbolKinds(nfa, used(nfa, true), true);
    }

    /** The kinds of what may follow a position. */
    static SymbolKinds following(Nfa nfa) {
        return new SymbolKinds(nfa, used(nfa, false), false);
    }

    private static int[] used(Nfa nfa, boolean inFront) {
        BitSet used = new BitSet();
        for (int state = 0; state < nfa.states(); state++) {
            if (nfa.kind()[state] == Nfa.LOOK) {
                int assertion = nfa.argument()[state];
                boolean both = assertion == Nfa.WORD_BOUNDARY || assertion == Nfa.NOT_WORD_BOUNDARY;
                if (both || inFront != Nfa.looksAhead(assertion)) {
                    used.set(assertion);
                }
            }
        }
        return used.stream().toArray();
    }

    int count() {
        return symbolOf.length;
    }

    /** The kind of a byte value, or of {@link Dfa#NOTHING}. */
    int of(int symbol) {
        return kindOf[symbol];
    }

    /** A symbol of a kind. */
    int symbol(int kind) {
        return symbolOf[kind];
    }
}
