package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * Makes the smallest automaton with the same answers: rule, back-off and the place they are seen.
 * After Valmari, "Fast brief practical DFA minimization" (2012): time m log m for m transitions.
 */
@Internal
public final class DfaMinimizer {

    private final StateTable table;
    private final int symbols;
    private int[] tail;
    private int[] head;
    private int[] symbolStart;

    private DfaMinimizer(StateTable table) {
        this.table = table;
        this.symbols = table.symbols();
    }

    public static StateTable minimize(StateTable table) {
        return new DfaMinimizer(table).minimize();
    }

    private StateTable minimize() {
        boolean[] live = liveStates();
        collectTransitions(live);
        Partition blocks = new Partition(table.states());
        splitByMatch(blocks, live);
        refine(blocks);
        return quotient(blocks);
    }

    /** States from which a match can still be seen, or that are one. */
    private boolean[] liveStates() {
        int states = table.states();
        int[] from = new int[states + 2];
        for (int target : table.next()) {
            from[target + 2]++;
        }
        for (int i = 2; i < from.length; i++) {
            from[i] += from[i - 1];
        }
        int[] sources = new int[table.next().length];
        for (int i = 0; i < table.next().length; i++) {
            sources[from[table.next()[i] + 1]++] = i / symbols;
        }
        boolean[] live = new boolean[states];
        int[] queue = new int[states];
        int queued = 0;
        for (int state = 1; state < states; state++) {
            if (table.match()[state] != 0) {
                live[state] = true;
                queue[queued++] = state;
            }
        }
        for (int i = 0; i < queued; i++) {
            for (int j = from[queue[i]]; j < from[queue[i] + 1]; j++) {
                if (!live[sources[j]]) {
                    live[sources[j]] = true;
                    queue[queued++] = sources[j];
                }
            }
        }
        return live;
    }

    /** Collects the transitions between live states, in order of their symbol. */
    private void collectTransitions(boolean[] live) {
        int count = 0;
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 1) {
                tail = new int[count];
                head = new int[count];
                symbolStart = new int[symbols + 1];
                count = 0;
            }
            for (int symbol = 0; symbol < symbols; symbol++) {
                for (int state = 1; state < table.states(); state++) {
                    int target = table.next(state, symbol);
                    if (live[state] && live[target]) {
                        if (pass == 1) {
                            tail[count] = state;
                            head[count] = target;
                        }
                        count++;
                    }
                }
                if (pass == 1) {
                    symbolStart[symbol + 1] = count;
                }
            }
        }
    }

    private void splitByMatch(Partition blocks, boolean[] live) {
        int kinds = 0;
        for (int match : table.match()) {
            kinds = Math.max(kinds, match + 1);
        }
        int[] from = new int[kinds + 2];
        for (int state = 0; state < table.states(); state++) {
            from[kindOf(state, live) + 1]++;
        }
        for (int i = 1; i < from.length; i++) {
            from[i] += from[i - 1];
        }
        int[] byKind = new int[table.states()];
        int[] at = Arrays.copyOf(from, from.length);
        for (int state = 0; state < table.states(); state++) {
            byKind[at[kindOf(state, live)]++] = state;
        }
        for (int kind = 0; kind <= kinds; kind++) {
            for (int i = from[kind]; i < from[kind + 1]; i++) {
                blocks.mark(byKind[i]);
            }
            blocks.split();
        }
    }

    private int kindOf(int state, boolean[] live) {
        return live[state] ? table.match()[state] + 1 : 0;
    }

    private void refine(Partition blocks) {
        Partition cords = new Partition(tail.length);
        for (int symbol = 0; symbol < symbols; symbol++) {
            for (int i = symbolStart[symbol]; i < symbolStart[symbol + 1]; i++) {
                cords.mark(i);
            }
            cords.split();
        }
        int[] into = new int[table.states() + 1];
        for (int target : head) {
            into[target + 1]++;
        }
        for (int i = 1; i < into.length; i++) {
            into[i] += into[i - 1];
        }
        int[] entering = new int[head.length];
        int[] at = Arrays.copyOf(into, into.length);
        for (int i = 0; i < head.length; i++) {
            entering[at[head[i]]++] = i;
        }
        int block = 1;
        for (int cord = 0; cord < cords.sets(); cord++) {
            for (int i = cords.first(cord); i < cords.past(cord); i++) {
                blocks.mark(tail[cords.elementAt(i)]);
            }
            blocks.split();
            for (; block < blocks.sets(); block++) {
                for (int i = blocks.first(block); i < blocks.past(block); i++) {
                    int state = blocks.elementAt(i);
                    for (int j = into[state]; j < into[state + 1]; j++) {
                        cords.mark(entering[j]);
                    }
                }
                cords.split();
            }
        }
    }

    private StateTable quotient(Partition blocks) {
        int[] stateOf = new int[blocks.sets()];
        Arrays.fill(stateOf, -1);
        stateOf[blocks.setOf(0)] = 0;
        int[] original = new int[blocks.sets()];
        int states = 1;
        for (int state = 1; state < table.states(); state++) {
            int block = blocks.setOf(state);
            if (stateOf[block] < 0) {
                stateOf[block] = states;
                original[states++] = state;
            }
        }
        int[] next = new int[states * symbols];
        int[] match = new int[states];
        for (int state = 1; state < states; state++) {
            match[state] = table.match()[original[state]];
            for (int symbol = 0; symbol < symbols; symbol++) {
                int target = table.next(original[state], symbol);
                next[state * symbols + symbol] = stateOf[blocks.setOf(target)];
            }
        }
        int[] start = new int[table.start().length];
        for (int before = 0; before < start.length; before++) {
            start[before] = stateOf[blocks.setOf(table.start()[before])];
        }
        return new StateTable(symbols, next, match, start);
    }
}
