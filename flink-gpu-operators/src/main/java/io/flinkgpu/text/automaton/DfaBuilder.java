package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

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
    private final int[] contextOfClass;
    private final int[] nextKindOfClass;

    /** Each state's items, then what it has matched. */
    private final IntLists lists = new IntLists();

    private final ClassTargets reached;

    /** The classes of the state being expanded that no earlier one is like, and the steps each took. */
    private final int[] different;

    private final long[] workOf;

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

    /** Whether states are sets, of which those with a match have nothing else. */
    private final boolean anyMatch;

    private DfaBuilder(Nfa nfa, ByteClasses classes, long maxWork, boolean anyMatch) {
        this.maxWork = maxWork;
        this.anyMatch = anyMatch;
        this.nfa = nfa;
        this.classes = classes;
        this.symbols = classes.count() + 1;
        this.seen = new int[nfa.states()];
        this.stack = new int[nfa.states() + nfa.target().length + 1];
        this.items = new int[nfa.states() + 1];
        this.contexts = SymbolKinds.inFront(nfa);
        this.nextKinds = SymbolKinds.following(nfa);
        this.contextOfClass = new int[classes.count()];
        this.nextKindOfClass = new int[classes.count()];
        for (int c = 0; c < classes.count(); c++) {
            contextOfClass[c] = contexts.of(classes.firstOf(c));
            nextKindOfClass[c] = nextKinds.of(classes.firstOf(c));
        }
        this.reached = new ClassTargets(nfa, classes);
        this.different = new int[classes.count()];
        this.workOf = new long[classes.count()];
    }

    /** Builds the automaton, not minimal, of byte classes as they are, in at most {@code maxWork} steps. */
    public static StateTable build(Nfa nfa, ByteClasses classes, long maxWork)
            throws TooLargeException {
        return new DfaBuilder(nfa, classes, maxWork, false).build();
    }

    /**
     * Likewise one that needs fewer states, as it only tells at which positions a match starts: where it ends there is
     * the end of any of them.
     */
    public static StateTable buildOfAny(Nfa nfa, ByteClasses classes, long maxWork)
            throws TooLargeException {
        return new DfaBuilder(nfa, classes, maxWork, true).build();
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
        for (int state = 1; state < lists.count(); state++) {
            expand(state);
        }
        int states = lists.count();
        return new StateTable(
                symbols,
                Arrays.copyOf(targets, states * symbols),
                Arrays.copyOf(match, states),
                start);
    }

    private void expand(int state) throws TooLargeException {
        Resolved[] resolved = new Resolved[nextKinds.count()];
        reached.clear();
        int differents = 0;
        for (int c = 0; c < classes.count(); c++) {
            int kind = nextKindOfClass[c];
            if (resolved[kind] == null) {
                resolved[kind] = resolve(state, classes.firstOf(c));
                reached.set(resolved[kind].readers, kind, nextKindOfClass);
            }
            int like = like(c, differents, resolved);
            if (like >= 0) {
                work(workOf[like]);
                targets[state * symbols + c] = targets[state * symbols + like];
                continue;
            }
            long before = work;
            begin();
            work(resolved[kind].readers.length);
            step(c);
            int target = intern(resolved[kind].match);
            targets[state * symbols + c] = target;
            workOf[c] = work - before;
            different[differents++] = c;
        }
        int end = nextKinds.of(Dfa.NOTHING);
        if (resolved[end] == null) {
            resolved[end] = resolve(state, Dfa.NOTHING);
        }
        begin();
        int target = intern(resolved[end].match);
        targets[state * symbols + symbols - 1] = target;
    }

    /** An earlier class that leads to the same state for sure, or -1. */
    private int like(int byteClass, int differents, Resolved[] resolved) {
        Resolved own = resolved[nextKindOfClass[byteClass]];
        for (int i = 0; i < differents; i++) {
            int earlier = different[i];
            Resolved other = resolved[nextKindOfClass[earlier]];
            if (reached.same(byteClass, earlier)
                    && contextOfClass[earlier] == contextOfClass[byteClass]
                    && other.match == own.match
                    && other.readers.length == own.readers.length) {
                return earlier;
            }
        }
        return -1;
    }

    /** Collects what the states reach after a byte of a class. */
    private void step(int byteClass) throws TooLargeException {
        int count = reached.count(byteClass);
        for (int i = 0; i < count; i++) {
            if (close(reached.target(byteClass, i), contextOfClass[byteClass], UNKNOWN)) {
                return;
            }
        }
    }

    /** What a list is once the next symbol's kind is known: states that read bytes, then a match. */
    private record Resolved(int[] readers, int match) {}

    private Resolved resolve(int state, int next) throws TooLargeException {
        begin();
        boolean matched = false;
        int past = lists.past(state) - 1;
        for (int i = lists.first(state); i < past && !matched; i++) {
            int item = lists.values()[i];
            matched = close(item >>> CONTEXT_BITS, item & (1 << CONTEXT_BITS) - 1, next);
        }
        int readers = matched ? itemCount - 1 : itemCount;
        int match = matched ? nfa.argument()[items[readers] >>> CONTEXT_BITS] + 1 : 0;
        readers = matched && anyMatch ? 0 : readers;
        int[] states = new int[readers];
        for (int i = 0; i < readers; i++) {
            states[i] = items[i] >>> CONTEXT_BITS;
        }
        return new Resolved(states, match);
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
        if (anyMatch) {
            leaveOut();
        }
        items[itemCount] = matched;
        work(itemCount + 1);
        int known = lists.find(items, itemCount + 1);
        if (known >= 0) {
            return known;
        }
        int state = lists.count();
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
        lists.add(items, itemCount + 1);
        return state;
    }

    /** Of the collected items all but a match, or their order. */
    private void leaveOut() {
        int last = itemCount - 1;
        if (itemCount > 0 && nfa.kind()[items[last] >>> CONTEXT_BITS] == Nfa.MATCH) {
            items[0] = items[last];
            itemCount = 1;
        } else {
            Arrays.sort(items, 0, itemCount);
        }
    }

    private void work(long steps) throws TooLargeException {
        work += steps;
        if (work > maxWork) {
            throw tooMuchWork();
        }
    }

    private TooLargeException tooMuchWork() {
        return new TooLargeException(lists.count() + " states");
    }
}
