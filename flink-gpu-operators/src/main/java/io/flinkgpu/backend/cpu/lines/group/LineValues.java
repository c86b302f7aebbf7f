package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.backend.cpu.aggregate.BatchTable;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.words.BinWords;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

/**
 * What a record of a {@link BatchTable} keeps of each value, and how a line's values are added to it.
 *
 * <pre>
 *   for each value: count | min, max (if needed) | low, high (if an integer's sum is needed)
 *   | four bins of squares (likewise)
 * </pre>
 *
 * <p>The sum is {@code low + 2^32 * high}. A number of 32 bits is added to low, of a wider one the lower
 * half; so a batch, which has fewer than 2^31 lines, overflows neither.
 */
@Internal
public final class LineValues {

    private static final long LOW = 0xffff_ffffL;

    /** The field of each value. */
    private final int[] fields;

    /** Where in a record the count of each value is, in bytes; its extremes follow. */
    private final int[] counts;

    /** Where the lower half of an integer's sum is; the upper half follows. */
    private final int[] sums;

    /** Where the squares of an integer are. */
    private final int[] squares;

    private final boolean[] isFloating;
    private final boolean[] hasMinMax;
    private final boolean[] hasIntegerSum;
    private final boolean[] hasIntegerSquares;
    private final CollectedDoubles[] doubles;
    private final WordLayout layout;

    /**
     * @param doubles what takes the values of which a floating sum is needed; null for others
     */
    public LineValues(LinePlan plan, CollectedDoubles[] doubles) {
        int values = plan.values().size();
        this.doubles = doubles;
        fields = plan.valueFields().stream().mapToInt(Integer::intValue).toArray();
        counts = new int[values];
        sums = new int[values];
        squares = new int[values];
        isFloating = new boolean[values];
        hasMinMax = new boolean[values];
        hasIntegerSum = new boolean[values];
        hasIntegerSquares = new boolean[values];
        layout =
                new WordLayout(
                        0,
                        plan.values(),
                        value ->
                                plan.values().get(value).type().isFloating()
                                        ? WordLayout.ELSEWHERE
                                        : WordLayout.INTEGER_BINS);
        for (int i = 0; i < values; i++) {
            isFloating[i] = plan.values().get(i).type().isFloating();
            hasMinMax[i] = layout.has(i, Term.MIN);
            hasIntegerSum[i] = layout.has(i, Term.SUM);
            counts[i] = BatchTable.VALUES + Long.BYTES * layout.first(i, Term.COUNT);
            sums[i] = BatchTable.VALUES + Long.BYTES * layout.first(i, Term.SUM);
            hasIntegerSquares[i] = layout.has(i, Term.SQUARES);
            squares[i] = BatchTable.VALUES + Long.BYTES * layout.first(i, Term.SQUARES);
        }
    }

    /** The words of a record's values; floating sums are not among them. */
    public WordLayout layout() {
        return layout;
    }

    /**
     * Adds a line.
     *
     * @param words of its fields: integers, or the bits of doubles
     * @param nulls whether a field has no value
     */
    void add(long record, long[] words, boolean[] nulls) {
        for (int i = 0; i < fields.length; i++) {
            int field = fields[i];
            if (!nulls[field]) {
                add(record, i, words[field]);
            }
        }
    }

    private void add(long record, int value, long word) {
        long count = record + counts[value];
        BinWords.add(count, 1);
        if (doubles[value] != null) {
            doubles[value].add(BatchTable.group(record), word);
        }
        if (hasMinMax[value]) {
            long order = isFloating[value] ? DoubleOrder.toOrdered(word) : word;
            BinWords.addExtremes(count + Long.BYTES, order, order);
        }
        if (hasIntegerSum[value]) {
            long low = record + sums[value];
            if ((int) word == word) {
                BinWords.add(low, word);
            } else {
                BinWords.add(low, word & LOW);
                BinWords.add(low + 8, word >> 32);
            }
        }
        if (hasIntegerSquares[value]) {
            BinWords.addSquareOfInteger(record + squares[value], Long.BYTES, word);
        }
    }
}
