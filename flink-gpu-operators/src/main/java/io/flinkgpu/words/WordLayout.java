package io.flinkgpu.words;

import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Which of a group's words are which {@link Term} of which value. Immutable. */
@Internal
public final class WordLayout {

    /** The bins of an integer's sum. */
    public static final int INTEGER_BINS = 2;

    /** Neither bins nor specials: the sum is kept elsewhere. */
    public static final int ELSEWHERE = -1;

    private static final int TERMS = Term.values().length;

    /**
     * The words of a term.
     *
     * @param first the first of them
     * @param words how many there are, at least 1
     */
    public record Slot(int value, Term term, int first, int words) {}

    private final List<Slot> slots;

    /** The slot of each term of each value, and one that would be there if it had words. */
    private final Slot[] all;

    private final int words;

    /**
     * @param firstWord the first value's first word; those before it are the caller's
     * @param floatingBins how many bins the sum of a floating value has, or {@link #ELSEWHERE}; asked for
     *     values that need one
     */
    public WordLayout(int firstWord, List<ValueSpec> values, IntUnaryOperator floatingBins) {
        all = new Slot[values.size() * TERMS];
        List<Slot> present = new ArrayList<>();
        int next = firstWord;
        for (int value = 0; value < values.size(); value++) {
            ValueSpec spec = values.get(value);
            int floating = Term.SPECIALS.isKeptOf(spec) ? floatingBins.applyAsInt(value) : 0;
            for (Term term : Term.values()) {
                int count = term.isKeptOf(spec) ? words(term, spec, floating) : 0;
                Slot slot = new Slot(value, term, next, count);
                all[value * TERMS + term.ordinal()] = slot;
                if (count > 0) {
                    present.add(slot);
                }
                next += count;
            }
        }
        slots = List.copyOf(present);
        words = next;
    }

    private static int words(Term term, ValueSpec spec, int floatingBins) {
        return switch (term) {
            case COUNT, MIN, MAX -> 1;
            case SPECIALS -> floatingBins == ELSEWHERE ? 0 : 1;
            case SUM -> spec.type().isFloating() ? Math.max(0, floatingBins) : INTEGER_BINS;
        };
    }

    /** How many words a group has, those before the first value's included. */
    public int words() {
        return words;
    }

    /** What has words, in their order. */
    public List<Slot> slots() {
        return slots;
    }

    /** Whether a term has words. */
    public boolean has(int value, Term term) {
        return all[value * TERMS + term.ordinal()].words() > 0;
    }

    /** The first word of a term, or where it would be. */
    public int first(int value, Term term) {
        return all[value * TERMS + term.ordinal()].first();
    }

    /** How many words the sum of a value has. */
    public int bins(int value) {
        return all[value * TERMS + Term.SUM.ordinal()].words();
    }

    /** The words of a group of no rows; 0 for those before the first value's. */
    public long[] initial() {
        long[] initial = new long[words];
        for (Slot slot : slots) {
            Arrays.fill(initial, slot.first(), slot.first() + slot.words(), slot.term().initial());
        }
        return initial;
    }
}
