package io.flinkgpu.words;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.exact.SquareGrid;

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

    /** Neither bins nor specials nor squares: the sums are kept elsewhere. */
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
     * @param bins how many bins the sum of a value has, or {@link #ELSEWHERE}; asked for floating values
     *     that need one, and for integers whose squares are summed: half as many as those have, whatever
     *     their sum has
     */
    public WordLayout(int firstWord, List<ValueSpec> values, IntUnaryOperator bins) {
        all = new Slot[values.size() * TERMS];
        List<Slot> present = new ArrayList<>();
        int next = firstWord;
        for (int value = 0; value < values.size(); value++) {
            ValueSpec spec = values.get(value);
            boolean asks = Term.SPECIALS.isKeptOf(spec) || Term.SQUARES.isKeptOf(spec);
            int asked = asks ? bins.applyAsInt(value) : 0;
            for (Term term : Term.values()) {
                int count = term.isKeptOf(spec) ? words(term, spec, asked) : 0;
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

    private static int words(Term term, ValueSpec spec, int bins) {
        return switch (term) {
            case COUNT, MIN, MAX -> 1;
            case SPECIALS -> bins == ELSEWHERE ? 0 : 1;
            case SUM -> spec.type().isFloating() ? Math.max(0, bins) : INTEGER_BINS;
            case SQUARES -> SquareGrid.BINS_PER_BIN * Math.max(0, bins);
        };
    }

    /** How many words a group has, those before the first value's included. */
    public int words() {
        return words;
    }

    /** How many values there are. */
    public int values() {
        return all.length / TERMS;
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
        return words(value, Term.SUM);
    }

    /** How many words a term of a value has. */
    public int words(int value, Term term) {
        return all[value * TERMS + term.ordinal()].words();
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
