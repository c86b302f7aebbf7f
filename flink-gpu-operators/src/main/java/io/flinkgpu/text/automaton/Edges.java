package io.flinkgpu.text.automaton;

import java.util.Arrays;

/**
 * The transitions of a {@link StateTable} as one edge for each state and each state that it leads to, by the latter.
 * An edge's weight is the sum of the weights of its symbols; sums of edges' weights, times a number for each target,
 * are the same for states that lead to targets of the same numbers on the same symbols.
 */
final class Edges {

    private final int[] from;
    private final int[] source;
    private final long[] weight;

    /**
     * @param seed of the symbols' weights
     */
    Edges(StateTable table, long seed) {
        int states = table.states();
        int symbols = table.symbols();
        int[] targets = new int[1 << 10];
        long[] weights = new long[1 << 10];
        int[] first = new int[states + 1];
        int[] lastSource = new int[states];
        int[] edgeOf = new int[states];
        from = new int[states + 2];
        long[] weightOf = new long[symbols];
        for (int symbol = 0; symbol < symbols; symbol++) {
            weightOf[symbol] = mix(seed + symbol);
        }
        int count = 0;
        for (int state = 1; state < states; state++) {
            first[state] = count;
            if (count + symbols > targets.length) {
                int more = Math.max(2 * targets.length, count + symbols);
                targets = Arrays.copyOf(targets, more);
                weights = Arrays.copyOf(weights, more);
            }
            for (int symbol = 0; symbol < symbols; symbol++) {
                int target = table.next(state, symbol);
                if (target == Dfa.DEAD) {
                    continue;
                }
                if (lastSource[target] != state) {
                    lastSource[target] = state;
                    edgeOf[target] = count;
                    targets[count] = target;
                    weights[count++] = 0;
                    from[target + 2]++;
                }
                weights[edgeOf[target]] += weightOf[symbol];
            }
        }
        first[states] = count;
        for (int i = 2; i < from.length; i++) {
            from[i] += from[i - 1];
        }
        source = new int[count];
        weight = new long[count];
        for (int state = 1; state < states; state++) {
            for (int edge = first[state]; edge < first[state + 1]; edge++) {
                int at = from[targets[edge] + 1]++;
                source[at] = state;
                weight[at] = weights[edge];
            }
        }
    }

    /** The first edge that leads to a state. */
    int first(int target) {
        return from[target];
    }

    /** After the last one. */
    int past(int target) {
        return from[target + 1];
    }

    int source(int edge) {
        return source[edge];
    }

    long weight(int edge) {
        return weight[edge];
    }

    /** A number in which all bits depend on all bits; not 0 for 0. */
    static long mix(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
