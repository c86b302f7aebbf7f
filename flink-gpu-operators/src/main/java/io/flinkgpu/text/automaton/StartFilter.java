package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds positions where a match may start by one table look-up a byte. It may say yes where no match
 * starts, and never says no where one does.
 *
 * <p>Shift-or (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) over five stages:
 * what precedes the start, and the first four bytes. Each stage holds a bit for each of {@value
 * #TERMS} terms, 0 as long as it may be the term; a term is a product of five byte sets, and all terms together cover every start the
 * automaton has:
 *
 * <pre>{@code
 *   bits 0-11     12-23         24-35          36-47         48-59
 *   preceding     first byte    second byte    third byte    fourth byte
 *
 *   seen = initial(context)
 *   for each byte b:  seen = seen << 12 | mask(b);   seen >>> LAST_STAGE != NO_TERM: a start 3 back
 *   then thrice:      seen = seen << 12 | endMask()  the row's last three positions
 * }</pre>
 *
 * Four bytes of twelve terms let fewer positions through than three bytes of sixteen, which a word would hold too.
 */
@Internal
public final class StartFilter {

    /** By how much a stage is shifted to the next. */
    public static final int STAGE_SHIFT = 12;

    /** Bytes of a start that are looked at. */
    static final int BYTES = 4;

    /** How far a found start lies before the byte that showed it. */
    public static final int LOOK_AHEAD = BYTES - 1;

    /** Where the last stage starts. */
    public static final int LAST_STAGE = BYTES * STAGE_SHIFT;

    /** What the last stage and the unused bits after it are where no match starts. */
    public static final long NO_TERM = -1L >>> LAST_STAGE;

    private static final int TERMS = 12;

    private final long[] masks = new long[256];
    private final long[] initial = new long[Dfa.NOTHING + 1];
    private long endMask = -1;

    /** The filter of an automaton's starts. */
    public StartFilter(Dfa dfa) {
        List<Integer> starts = new ArrayList<>();
        int[] contextOf = new int[Dfa.NOTHING + 1];
        for (int before = 0; before <= Dfa.NOTHING; before++) {
            int start = dfa.startStateAfter(before);
            if (!starts.contains(start)) {
                starts.add(start);
            }
            contextOf[before] = starts.indexOf(start);
        }
        List<Term> terms =
                new TermMerger(dfa, contextOf, starts.size()).merge(termsOf(dfa, starts), TERMS);
        Arrays.fill(masks, -1);
        Arrays.fill(initial, -1);
        for (int t = 0; t < terms.size(); t++) {
            Term term = terms.get(t);
            for (int b = 0; b < 256; b++) {
                int byteClass = dfa.classOf(b);
                masks[b] &= ~bit(term.contexts.get(contextOf[b]), 0, t);
                for (int stage = 0; stage < BYTES; stage++) {
                    masks[b] &= ~bit(term.bytes[stage].get(byteClass), stage + 1, t);
                }
            }
            for (int before = 0; before <= Dfa.NOTHING; before++) {
                initial[before] &= ~bit(term.contexts.get(contextOf[before]), 0, t);
            }
            for (int stage = 1; stage < BYTES; stage++) {
                endMask &= ~bit(term.bytes[stage].get(dfa.endClass()), stage + 1, t);
            }
        }
    }

    private static long bit(boolean set, int stage, int term) {
        return set ? 1L << (stage * STAGE_SHIFT + term) : 0;
    }

    /** The mask of each byte value, 256 of them; not to be written to. */
    public long[] masks() {
        return masks;
    }

    /** What is seen before the first byte, by the byte before it or {@link Dfa#NOTHING}; not to be written to. */
    public long[] initial() {
        return initial;
    }

    /** The mask of each of the {@link #LOOK_AHEAD} symbols after the row's end. */
    public long endMask() {
        return endMask;
    }

    /**
     * One for each state reached by the first byte and each set of third symbols after it, exact up to these; the
     * fourth symbols are all that may follow any of them. The end class stands in for a missing byte.
     */
    private static List<Term> termsOf(Dfa dfa, List<Integer> starts) {
        Map<Integer, Map<BitSet, BitSet>> firstBytes = new LinkedHashMap<>();
        for (int c0 = 0; c0 < dfa.endClass(); c0++) {
            Map<Integer, BitSet> contextsOf = new LinkedHashMap<>();
            for (int context = 0; context < starts.size(); context++) {
                int first = dfa.next(starts.get(context), c0);
                if (first != Dfa.DEAD) {
                    contextsOf.computeIfAbsent(first, f -> new BitSet()).set(context);
                }
            }
            for (Map.Entry<Integer, BitSet> entry : contextsOf.entrySet()) {
                firstBytes
                        .computeIfAbsent(entry.getKey(), f -> new LinkedHashMap<>())
                        .computeIfAbsent(entry.getValue(), c -> new BitSet())
                        .set(c0);
            }
        }
        Followers followers = new Followers(dfa);
        List<Term> terms = new ArrayList<>();
        firstBytes.forEach(
                (first, bytesOf) -> {
                    Map<BitSet, BitSet[]> laterOf = laterSymbols(dfa, first, followers);
                    bytesOf.forEach(
                            (contexts, bytes) ->
                                    laterOf.values()
                                            .forEach(
                                                    later ->
                                                            terms.add(
                                                                    new Term(
                                                                            contexts, bytes,
                                                                            later))));
                });
        return terms;
    }

    /** From each set of third symbols to the second ones that lead to it, itself, and the fourth ones. */
    private static Map<BitSet, BitSet[]> laterSymbols(Dfa dfa, int first, Followers followers) {
        Map<BitSet, BitSet[]> laterOf = new LinkedHashMap<>();
        for (int c1 = 0; c1 < dfa.classCount(); c1++) {
            int second = dfa.next(first, c1);
            if (second != Dfa.DEAD) {
                BitSet third = followers.of(second);
                if (!third.isEmpty()) {
                    BitSet[] later =
                            laterOf.computeIfAbsent(
                                    third, t -> new BitSet[] {new BitSet(), t, new BitSet()});
                    later[0].set(c1);
                    later[2].or(followers.ofThoseOf(second));
                }
            }
        }
        return laterOf;
    }

    /** The symbols that may come next in a state, each state's once; not to be written to. */
    private static final class Followers {

        private final Dfa dfa;
        private final BitSet[] of;
        private final BitSet[] ofThoseOf;

        Followers(Dfa dfa) {
            this.dfa = dfa;
            this.of = new BitSet[dfa.states()];
            this.ofThoseOf = new BitSet[dfa.states()];
        }

        /** What may follow; anything after a match of a few bytes, of which one was look-ahead. */
        BitSet of(int state) {
            if (of[state] == null) {
                of[state] = new BitSet(dfa.classCount());
                for (int c = 0; c < dfa.classCount(); c++) {
                    of[state].set(c, state < dfa.matchLimit() || dfa.next(state, c) != Dfa.DEAD);
                }
            }
            return of[state];
        }

        /** What may come after what may follow. */
        BitSet ofThoseOf(int state) {
            if (state < dfa.matchLimit()) {
                return of(state);
            }
            if (ofThoseOf[state] == null) {
                ofThoseOf[state] = new BitSet(dfa.classCount());
                for (int c = 0; c < dfa.classCount(); c++) {
                    int next = dfa.next(state, c);
                    if (next != Dfa.DEAD) {
                        ofThoseOf[state].or(of(next));
                    }
                }
            }
            return ofThoseOf[state];
        }
    }

    /** A product of a context set and a set of byte classes for each byte. */
    static final class Term {
        final BitSet contexts = new BitSet();
        final BitSet[] bytes = new BitSet[BYTES];

        private Term(BitSet contexts, BitSet first, BitSet[] later) {
            this.contexts.or(contexts);
            bytes[0] = (BitSet) first.clone();
            for (int i = 1; i < BYTES; i++) {
                bytes[i] = (BitSet) later[i - 1].clone();
            }
        }

        void add(Term other) {
            contexts.or(other.contexts);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i].or(other.bytes[i]);
            }
        }
    }
}
