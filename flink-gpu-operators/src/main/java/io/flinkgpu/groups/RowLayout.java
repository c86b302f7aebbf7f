package io.flinkgpu.groups;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import java.util.Arrays;
import java.util.List;

/**
 * Where a row of a table has what, in bytes:
 *
 * <pre>
 *   the key's length (4), key group (2), marks of what it changed since (2)
 *   the key's bytes 0-7 | 8-15, or of a longer key where all of it is | spare words | for each value:
 *   count | min | max | specials | bin, bin, ...            where they are kept
 *                     | sum's lower half | its upper half   of an integer
 *                                | bin, bin, ...            of squares
 *   for each cell where it is, or 0 if there is none
 * </pre>
 *
 * Immutable.
 */
final class RowLayout {

    static final int LENGTH = 0;
    static final int KEY_GROUP = 4;
    static final int CHANGED = 6;

    /** The group was added to since the last snapshot. */
    static final int SINCE_SNAPSHOT = 1;

    /** The group was added to since it was emitted the last time. */
    static final int SINCE_EMISSION = 2;

    /** The first of the marks since a write to each further tier of state. */
    static final int SINCE_SECOND_TIER = 4;

    static final int KEY = 8;
    static final int REST = 16;
    static final int SPARE = 24;

    /** A key of at most this many bytes is in its row. */
    static final int SHORT_KEY = 2 * Long.BYTES;

    /** A place that is not there. */
    static final int NONE = -1;

    final int[] counts;
    final int[] minima;
    final int[] specials;
    final int[] sums;
    final int[] squares;
    final boolean[] floating;

    /** The grid's bin that each value's first is, of its sum; twice that of its squares. */
    final int[] firstBins;

    /** How many bins there are of a floating value's sum; half of those of its squares. */
    final int[] bins;

    final int cells;

    final int strideBytes;

    /** Where the values begin, in words. */
    final int firstWord;

    /** The words of a group of no values. */
    final long[] initial;

    private final List<ValueSpec> values;

    /**
     * @param spareWords how many words of a row are another's than the table's
     */
    RowLayout(List<ValueSpec> values, int spareWords) {
        this(
                values,
                SPARE / Long.BYTES + spareWords,
                new int[values.size()],
                new int[values.size()]);
    }

    private RowLayout(List<ValueSpec> values, int firstWord, int[] firstBins, int[] bins) {
        this.values = values;
        this.firstWord = firstWord;
        this.firstBins = firstBins;
        this.bins = bins;
        WordLayout words = new WordLayout(firstWord, values, value -> bins[value]);
        counts = new int[bins.length];
        minima = new int[bins.length];
        specials = new int[bins.length];
        sums = new int[bins.length];
        squares = new int[bins.length];
        floating = new boolean[bins.length];
        for (int i = 0; i < bins.length; i++) {
            counts[i] = Long.BYTES * words.first(i, Term.COUNT);
            minima[i] = words.has(i, Term.MIN) ? Long.BYTES * words.first(i, Term.MIN) : NONE;
            specials[i] =
                    words.has(i, Term.SPECIALS) ? Long.BYTES * words.first(i, Term.SPECIALS) : NONE;
            boolean summed = Term.SUM.isKeptOf(values.get(i));
            sums[i] = summed ? Long.BYTES * words.first(i, Term.SUM) : NONE;
            squares[i] =
                    Term.SQUARES.isKeptOf(values.get(i))
                            ? Long.BYTES * words.first(i, Term.SQUARES)
                            : NONE;
            floating[i] = values.get(i).type().isFloating();
        }
        cells = Long.BYTES * words.words();
        initial = Arrays.copyOf(words.initial(), words.words() + KeptCell.count(values));
        strideBytes = Long.BYTES * initial.length;
    }

    /** Whether a value's sum is in bins. */
    boolean hasSumBins(int value) {
        return floating[value] && sums[value] != NONE;
    }

    /** Whether no value needs bins, so that all rows have this layout. */
    boolean neverWidens() {
        for (int value = 0; value < values(); value++) {
            if (hasSumBins(value) || squares[value] != NONE) {
                return false;
            }
        }
        return true;
    }

    int values() {
        return counts.length;
    }

    /** With bins of a value from one up to another, and those that it has. */
    RowLayout withBins(int value, int first, int end) {
        int[] newFirst = firstBins.clone();
        int[] newBins = bins.clone();
        newFirst[value] = bins[value] == 0 ? first : Math.min(first, firstBins[value]);
        newBins[value] =
                (bins[value] == 0 ? end : Math.max(end, firstBins[value] + bins[value]))
                        - newFirst[value];
        return new RowLayout(values, firstWord, newFirst, newBins);
    }
}
