package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds positions where a match may start by one table look-up a byte. It may say yes where no match
 * starts, and never says no where one does.
 *
 * <p>Shift-and (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) over four stages:
 * what precedes the start, and the first three bytes. Each stage holds a bit for each of {@value
 * #TERMS} terms; a term is a product of four byte sets, and all terms together cover every start the
 * automaton has:
 *
 * <pre>{@code
 *   bits 0-15     16-31         32-47          48-63
 *   preceding     first byte    second byte    third byte
 *
 *   seen = initial(context)
 *   for each byte b:  seen = (seen << 16 | EVERY_TERM) & mask(b);  seen >>> 48 != 0: a start 2 back
 *   then twice:       seen = seen << 16 & endMask()                the row's last two positions
 * }</pre>
 */
@Internal
public final class StartFilter {

    /** All terms at the first stage. */
    public static final long EVERY_TERM = 0xffffL;

    /** By how much a stage is shifted to the next. */
    public static final int STAGE_SHIFT = 16;

    /** How far a found start lies after the byte that showed it. */
    public static final int LOOK_AHEAD = 2;

    private static final int TERMS = 16;

    private final long[] masks = new long[256];
    private final long[] initial = new long[Dfa.NOTHING + 1];
    private final long endMask;

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
        long end = 0;
        for (int t = 0; t < terms.size(); t++) {
            Term term = terms.get(t);
            for (int b = 0; b < 256; b++) {
                int byteClass = dfa.classOf(b);
                masks[b] |= bit(term.contexts.get(contextOf[b]), 0, t);
                for (int stage = 0; stage < 3; stage++) {
                    masks[b] |= bit(term.bytes[stage].get(byteClass), stage + 1, t);
                }
            }
            for (int before = 0; before <= Dfa.NOTHING; before++) {
                initial[before] |= bit(term.contexts.get(contextOf[before]), 0, t);
            }
            end |= bit(term.bytes[1].get(dfa.endClass()), 2, t);
            end |= bit(term.bytes[2].get(dfa.endClass()), 3, t);
        }
        endMask = end;
    }

    private static long bit(boolean set, int stage, int term) {
        return set ? 1L << (stage * STAGE_SHIFT + term) : 0;
    }

    /** The mask of each byte value, 256 of them; not to be written to. */
    public long[] masks() {
        return masks;
    }

    /** What is seen before the first byte after a byte value, or after {@link Dfa#NOTHING}. */
    public long initial(int before) {
        return initial[before];
    }

    /** The mask of the two symbols after the row's end. */
    public long endMask() {
        return endMask;
    }

    /**
     * Exact terms: one for each state reached by the first byte and each set of third symbols after it.
     * The end class stands in for a missing byte.
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
        List<Term> terms = new ArrayList<>();
        firstBytes.forEach(
                (first, bytesOf) -> {
                    Map<BitSet, BitSet> secondOf = secondSymbols(dfa, first);
                    bytesOf.forEach(
                            (contexts, bytes) ->
                                    secondOf.forEach(
                                            (third, second) ->
                                                    terms.add(
                                                            new Term(
                                                                    contexts, bytes, second,
                                                                    third))));
                });
        return terms;
    }

    /** From each set of third symbols to the second symbols that lead to it. */
    private static Map<BitSet, BitSet> secondSymbols(Dfa dfa, int first) {
        Map<BitSet, BitSet> secondOf = new LinkedHashMap<>();
        for (int c1 = 0; c1 < dfa.classCount(); c1++) {
            int second = dfa.next(first, c1);
            if (second != Dfa.DEAD) {
                BitSet third = thirdSymbols(dfa, second);
                if (!third.isEmpty()) {
                    secondOf.computeIfAbsent(third, t -> new BitSet()).set(c1);
                }
            }
        }
        return secondOf;
    }

    /** What may follow; anything after a match of one or two bytes, of which one was look-ahead. */
    private static BitSet thirdSymbols(Dfa dfa, int second) {
        BitSet symbols = new BitSet(dfa.classCount());
        for (int c2 = 0; c2 < dfa.classCount(); c2++) {
            if (second < dfa.matchLimit() || dfa.next(second, c2) != Dfa.DEAD) {
                symbols.set(c2);
            }
        }
        return symbols;
    }

    /** A product of a context set and three sets of byte classes. */
    static final class Term {
        final BitSet contexts = new BitSet();
        final BitSet[] bytes = {new BitSet(), new BitSet(), new BitSet()};

        Term() {}

        Term(BitSet contexts, BitSet first, BitSet second, BitSet third) {
            this.contexts.or(contexts);
            bytes[0].or(first);
            bytes[1].or(second);
            bytes[2].or(third);
        }

        void add(Term other) {
            contexts.or(other.contexts);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i].or(other.bytes[i]);
            }
        }
    }
}
