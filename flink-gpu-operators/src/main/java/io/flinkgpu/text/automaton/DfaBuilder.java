package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ordered subset construction: a state is a list of {@link Nfa} states in order of preference, cut
 * after the first match.
 *
 * <p>An item of the list is {@code nfaState << CONTEXT_BITS | context}. Its state is one that reads bytes,
 * a match, or an assertion that waits for the next symbol; only assertions have a context other than 0.
 * See Cox, "Regular Expression Matching in the Wild" (2010).
 */
@Internal
public final class DfaBuilder {

    private static final int MAX_CELLS = 3 << 20;
    private static final int MAX_ITEMS = 1 << 22;
    private static final int UNKNOWN = -1;

    /** For as many contexts as there are byte values, and one. */
    private static final int CONTEXT_BITS = 9;

    /** Elementary steps a construction may take; about half a second. */
    public static final long MAX_WORK = 150_000_000;

    private final Nfa nfa;
    private final ByteClasses classes;
    private final int symbols;
    private final SymbolKinds contexts;
    private final SymbolKinds nextKinds;

    private final Map<IntKey, Integer> ids = new HashMap<>();
    private final List<int[]> lists = new ArrayList<>();
    private int[] match = new int[64];
    private int[] targets = new int[1 << 12];

    private final int[] seen;
    private int round;
    private int[] stack;
    private int[] items;
    private int itemCount;
    private int totalItems;
    private final long maxWork;
    private long work;

    private DfaBuilder(Nfa nfa, ByteClasses classes, long maxWork) {
        this.maxWork = maxWork;
        this.nfa = nfa;
        this.classes = classes;
        this.symbols = classes.count() + 1;
        this.seen = new int[nfa.states()];
        this.stack = new int[nfa.states() + nfa.target().length + 1];
        this.items = new int[nfa.states() + 1];
        this.contexts = SymbolKinds.inFront(nfa);
        this.nextKinds = SymbolKinds.following(nfa);
    }

    /** Builds the automaton, not minimal, of byte classes as they are, in at most {@code maxWork} steps. */
    public static StateTable build(Nfa nfa, ByteClasses classes, long maxWork)
            throws TooLargeException {
        return new DfaBuilder(nfa, classes, maxWork).build();
    }

    private StateTable build() throws TooLargeException {
        intern(0);
        int[] startOfKind = new int[contexts.count()];
        for (int context = 0; context < startOfKind.length; context++) {
            begin();
            close(nfa.start(), context, UNKNOWN);
            startOfKind[context] = intern(0);
        }
        int[] start = new int[Dfa.NOTHING + 1];
        for (int before = 0; before < start.length; before++) {
            start[before] = startOfKind[contexts.of(before)];
        }
        for (int state = 1; state < lists.size(); state++) {
            expand(state);
        }
        int states = lists.size();
        return new StateTable(
                symbols,
                Arrays.copyOf(targets, states * symbols),
                Arrays.copyOf(match, states),
                start);
    }

    private void expand(int state) throws TooLargeException {
        int[] list = lists.get(state);
        Resolved[] resolved = new Resolved[nextKinds.count()];
        for (int symbol = 0; symbol < symbols; symbol++) {
            boolean atEnd = symbol == symbols - 1;
            int firstByte = atEnd ? Dfa.NOTHING : classes.firstOf(symbol);
            int kind = nextKinds.of(firstByte);
            if (resolved[kind] == null) {
                resolved[kind] = resolve(list, firstByte);
            }
            begin();
            if (!atEnd) {
                step(resolved[kind].readers, firstByte);
            }
            int target = intern(resolved[kind].match);
            targets[state * symbols + symbol] = target;
        }
    }

    /** Collects what the states reach after a byte. */
    private void step(int[] readers, int byteValue) throws TooLargeException {
        int context = contexts.of(byteValue);
        work(readers.length);
        for (int reader : readers) {
            int target = nfa.step(reader, byteValue);
            if (target >= 0 && close(target, context, UNKNOWN)) {
                return;
            }
        }
    }

    /** What a list is once the next symbol's kind is known: states that read bytes, then a match. */
    private record Resolved(int[] readers, int match) {}

    private Resolved resolve(int[] list, int next) throws TooLargeException {
        begin();
        boolean matched = false;
        for (int i = 0; i < list.length && !matched; i++) {
            int context = list[i] & (1 << CONTEXT_BITS) - 1;
            matched = close(list[i] >>> CONTEXT_BITS, context, next);
        }
        int readers = matched ? itemCount - 1 : itemCount;
        int[] states = new int[readers];
        for (int i = 0; i < readers; i++) {
            states[i] = items[i] >>> CONTEXT_BITS;
        }
        return new Resolved(
                states, matched ? nfa.argument()[items[readers] >>> CONTEXT_BITS] + 1 : 0);
    }

    private void begin() {
        itemCount = 0;
        round++;
    }

    /**
     * Adds to the items what a state reaches without reading, in order of preference.
     *
     * @return whether it reaches a match; nothing may be added after it
     */
    private boolean close(int from, int context, int next) throws TooLargeException {
        int depth = 0;
        stack[depth++] = from;
        while (depth > 0) {
            int state = stack[--depth];
            if (seen[state] == round) {
                continue;
            }
            seen[state] = round;
            int firstEdge = nfa.edges()[state];
            switch (nfa.kind()[state]) {
                case Nfa.BYTES -> items[itemCount++] = state << CONTEXT_BITS;
                case Nfa.MATCH -> {
                    items[itemCount++] = state << CONTEXT_BITS;
                    return true;
                }
                case Nfa.ANY_OF -> {
                    int edges = nfa.edges()[state + 1] - firstEdge;
                    work(edges);
                    for (int edge = edges - 1; edge >= 0; edge--) {
                        stack[depth++] = nfa.target()[firstEdge + edge];
                    }
                }
                default -> {
                    int assertion = nfa.argument()[state];
                    if (next == UNKNOWN && Nfa.looksAhead(assertion)) {
                        items[itemCount++] = state << CONTEXT_BITS | context;
                    } else if (nfa.holds(assertion, contexts.symbol(context), next)) {
                        stack[depth++] = nfa.target()[firstEdge];
                    }
                }
            }
        }
        return false;
    }

    /** The number of the state with the collected items. */
    private int intern(int matched) throws TooLargeException {
        int[] key = Arrays.copyOf(items, itemCount + 1);
        key[itemCount] = matched;
        work(key.length);
        IntKey wrapped = new IntKey(key);
        Integer known = ids.get(wrapped);
        if (known != null) {
            return known;
        }
        int state = lists.size();
        totalItems += itemCount;
        if (state >= Dfa.MAX_STATES || (state + 1) * symbols > MAX_CELLS) {
            throw new TooLargeException(state + " states");
        }
        if (totalItems > MAX_ITEMS) {
            throw tooMuchWork();
        }
        if (state == match.length) {
            match = Arrays.copyOf(match, 2 * state);
        }
        if ((state + 1) * symbols > targets.length) {
            targets = Arrays.copyOf(targets, Math.max(2 * targets.length, (state + 1) * symbols));
        }
        match[state] = matched;
        lists.add(Arrays.copyOf(items, itemCount));
        ids.put(wrapped, state);
        return state;
    }

    private void work(int steps) throws TooLargeException {
        work += steps;
        if (work > maxWork) {
            throw tooMuchWork();
        }
    }

    private TooLargeException tooMuchWork() {
        return new TooLargeException(lists.size() + " states");
    }
}
