package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * Finds out of automata of single rules which of them can match at the same start. It may say yes where
 * they cannot, and never says no where they can. Not thread-safe.
 */
@Internal
public final class Overlap {

    private static final int MAX_PAIRS = 1 << 24;

    private long pairsLeft;

    /**
     * @param maxPairs the most pairs of states to look at, for all questions together; then all is yes
     */
    public Overlap(long maxPairs) {
        pairsLeft = maxPairs;
    }

    /** Whether some text has a start where both match. */
    public boolean isPossible(Dfa first, Dfa second) {
        if ((long) first.states() * second.states() > MAX_PAIRS) {
            return true;
        }
        int[] symbols = symbols(first, second);
        BitSet seen = new BitSet();
        ArrayDeque<Integer> pairs = new ArrayDeque<>();
        for (int before = 0; before <= Dfa.NOTHING; before++) {
            add(
                    first.startStateAfter(before) * second.states()
                            + second.startStateAfter(before),
                    seen,
                    pairs);
        }
        // Neither has matched yet in the pairs that are looked at, and from each state but the dead
        // one a match is within reach: once one has matched, the other may.
        while (!pairs.isEmpty()) {
            if (--pairsLeft < 0) {
                return true;
            }
            int pair = pairs.remove();
            for (int symbol : symbols) {
                int a = first.next(pair / second.states(), symbol >> 16);
                int b = second.next(pair % second.states(), symbol & 0xffff);
                if (a == Dfa.DEAD || b == Dfa.DEAD) {
                    continue;
                }
                if (a < first.matchLimit() || b < second.matchLimit()) {
                    return true;
                }
                add(a * second.states() + b, seen, pairs);
            }
        }
        return false;
    }

    private static void add(int pair, BitSet seen, ArrayDeque<Integer> pairs) {
        if (!seen.get(pair)) {
            seen.set(pair);
            pairs.add(pair);
        }
    }

    /** The pairs of classes that a byte, or the end of the row, has in both. */
    private static int[] symbols(Dfa first, Dfa second) {
        BitSet pairs = new BitSet();
        for (int b = 0; b < 256; b++) {
            pairs.set(first.classOf(b) << 16 | second.classOf(b));
        }
        pairs.set(first.endClass() << 16 | second.endClass());
        return pairs.stream().toArray();
    }
}
