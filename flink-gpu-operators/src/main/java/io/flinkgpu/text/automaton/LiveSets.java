package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * The sets of {@link Nfa} states from which a match is reachable, computed from the end of a row to
 * its start, one set a position. Sets and the steps between them are kept, up to a bound. Not
 * thread-safe.
 */
@Internal
public final class LiveSets {

    /** What {@link #step} answers when no further set can be kept. */
    static final int FULL = -1;

    /** The set after the end of a row: nothing is live. */
    static final int NONE = 0;

    private static final long KEPT_BYTES = 8L << 20;
    private static final int MIN_SETS = 64;
    private static final int MAX_SETS = 8192;
    private static final int UNKNOWN = -1;

    private final Nfa nfa;
    private final ByteClasses classes;
    private final Predecessors predecessors;
    private final SymbolKinds contexts;
    private final int words;
    private final int columns;
    private final int maxSets;
    private final long keptBytes;

    private long[] bits;
    private int[] steps;
    private final int[] slots;
    private int sets;

    private final long[] fresh;
    private final int[] queue;
    private int queued;

    public LiveSets(Nfa nfa) {
        this(nfa, MAX_SETS);
    }

    /**
     * @param setsToKeep the most sets to keep, at least 3; fewer are kept if they are large
     */
    public LiveSets(Nfa nfa, int setsToKeep) {
        this(nfa, new ByteClasses(nfa), setsToKeep, KEPT_BYTES);
    }

    /** Sets that take no more memory, together with those of so many others, than those of one do. */
    static LiveSets sharing(Nfa nfa, int sharers) {
        return new LiveSets(nfa, new ByteClasses(nfa), MAX_SETS, KEPT_BYTES / sharers);
    }

    private LiveSets(Nfa nfa, ByteClasses classes, int setsToKeep, long keptBytes) {
        this(nfa, classes, new Predecessors(nfa, classes), setsToKeep, keptBytes);
    }

    private LiveSets(
            Nfa nfa,
            ByteClasses classes,
            Predecessors predecessors,
            int setsToKeep,
            long keptBytes) {
        this.nfa = nfa;
        this.classes = classes;
        this.predecessors = predecessors;
        this.words = (nfa.states() + 63) / 64;
        this.contexts = SymbolKinds.inFront(nfa);
        this.columns = (classes.count() + 1) * contexts.count();
        long setBytes = Long.BYTES * words + Integer.BYTES * columns;
        this.maxSets = (int) Math.min(setsToKeep, Math.max(MIN_SETS, keptBytes / setBytes));
        this.keptBytes = keptBytes;
        this.slots = new int[Integer.highestOneBit(maxSets) * 4];
        this.bits = new long[words];
        this.steps = new int[columns];
        this.fresh = new long[words];
        this.queue = new int[nfa.states()];
        clear();
    }

    /** One of the same automaton, which has kept none yet. */
    LiveSets another() {
        return new LiveSets(nfa, classes, predecessors, maxSets, keptBytes);
    }

    /** Bytes of memory that grow with the sets that rows need. */
    long heldBytes() {
        return (long) Long.BYTES * bits.length
                + (long) Integer.BYTES * (steps.length + slots.length);
    }

    /** Longs a set takes. */
    int words() {
        return words;
    }

    /** The symbol of the end of the row. */
    int endSymbol() {
        return classes.count();
    }

    /** The symbol of a byte (0 to 255). */
    int symbolOf(int byteValue) {
        return classes.classOf(byteValue);
    }

    /** Whether a state is in a set. */
    boolean holds(int set, int state) {
        return (bits[set * words + (state >> 6)] >>> state & 1) != 0;
    }

    /** Forgets all sets but {@link #NONE}. */
    void clear() {
        Arrays.fill(slots, UNKNOWN);
        sets = 0;
        Arrays.fill(fresh, 0);
        internFresh();
    }

    /** Copies a set's bits. */
    void copy(int set, long[] into, int at) {
        System.arraycopy(bits, set * words, into, at, words);
    }

    /** The set with bits that were copied, or {@link #FULL}, which it is not right after {@link #clear()}. */
    int restore(long[] from, int at) {
        System.arraycopy(from, at, fresh, 0, words);
        return internFresh();
    }

    /**
     * The set at a position.
     *
     * @param next the set at the next position
     * @param symbol the symbol at the position
     * @param context the kind of what is in front of the position
     * @return the set, or {@link #FULL}
     */
    int step(int next, int symbol, int context) {
        int cell = next * columns + symbol * contexts.count() + context;
        int known = steps[cell];
        if (known != UNKNOWN) {
            return known;
        }
        compute(next, symbol, context);
        int set = internFresh();
        if (set != FULL) {
            steps[cell] = set;
        }
        return set;
    }

    private void compute(int next, int symbol, int context) {
        Arrays.fill(fresh, 0);
        queued = 0;
        for (int match : predecessors.matches()) {
            add(match);
        }
        for (int word = 0; word < words; word++) {
            long rest = bits[next * words + word];
            while (rest != 0) {
                int state = word * 64 + Long.numberOfTrailingZeros(rest);
                rest &= rest - 1;
                for (int i = predecessors.firstReader(state);
                        i < predecessors.firstReader(state + 1);
                        i++) {
                    if (predecessors.reads(i, symbol)) {
                        add(predecessors.reader(i));
                    }
                }
            }
        }
        boolean atEnd = symbol == endSymbol();
        int following = atEnd ? Dfa.NOTHING : classes.firstOf(symbol);
        int before = contexts.symbol(context);
        while (queued > 0) {
            int state = queue[--queued];
            for (int i = predecessors.firstEmpty(state);
                    i < predecessors.firstEmpty(state + 1);
                    i++) {
                int source = predecessors.empty(i);
                if (nfa.kind()[source] == Nfa.ANY_OF
                        || nfa.holds(nfa.argument()[source], before, following)) {
                    add(source);
                }
            }
        }
    }

    private void add(int state) {
        long bit = 1L << state;
        if ((fresh[state >> 6] & bit) == 0) {
            fresh[state >> 6] |= bit;
            queue[queued++] = state;
        }
    }

    private int internFresh() {
        int slot = hash() & slots.length - 1;
        while (slots[slot] != UNKNOWN) {
            int from = slots[slot] * words;
            if (Arrays.equals(bits, from, from + words, fresh, 0, words)) {
                return slots[slot];
            }
            slot = slot + 1 & slots.length - 1;
        }
        if (sets == maxSets) {
            return FULL;
        }
        if ((sets + 1) * words > bits.length) {
            int room = Math.min(maxSets, 2 * sets);
            bits = Arrays.copyOf(bits, room * words);
            steps = Arrays.copyOf(steps, room * columns);
        }
        System.arraycopy(fresh, 0, bits, sets * words, words);
        Arrays.fill(steps, sets * columns, (sets + 1) * columns, UNKNOWN);
        slots[slot] = sets;
        return sets++;
    }

    private int hash() {
        long hash = 0;
        for (long word : fresh) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }
}
