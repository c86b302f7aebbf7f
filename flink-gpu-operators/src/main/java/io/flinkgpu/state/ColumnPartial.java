package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellFunction;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.DoubleSum;
import io.flinkgpu.exact.LongSum;
import io.flinkgpu.exact.RoundedSum;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What a partial keeps of one column's values. What is given to it but not kept is ignored. */
@Internal
public final class ColumnPartial {

    private final boolean floating;
    private boolean keepsExtremes;
    private long count;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;

    // At most one of them is there, none if no sum is kept.
    private LongSum integers;
    private DoubleSum doubles;

    private PartialCell[] cells;

    ColumnPartial(
            boolean floating,
            boolean keepsSum,
            boolean keepsExtremes,
            List<CellFunction> cellFunctions) {
        this.cells = PartialCell.of(cellFunctions);
        this.floating = floating;
        this.keepsExtremes = keepsExtremes;
        if (keepsSum && floating) {
            doubles = new DoubleSum();
        } else if (keepsSum) {
            integers = new LongSum();
        }
    }

    private ColumnPartial(ColumnPartial from) {
        floating = from.floating;
        keepsExtremes = from.keepsExtremes;
        count = from.count;
        min = from.min;
        max = from.max;
        integers = from.integers == null ? null : from.integers.copy();
        doubles = from.doubles == null ? null : from.doubles.copy();
        cells = PartialCell.copy(from.cells);
    }

    ColumnPartial copy() {
        return new ColumnPartial(this);
    }

    void add(long word) {
        count++;
        long ordered = word;
        if (floating) {
            ordered = DoubleOrder.toOrdered(word);
            if (doubles != null) {
                doubles.add(word);
            }
        } else if (integers != null) {
            integers.add(word);
        }
        addExtremes(ordered, ordered);
    }

    public void addCount(long more) {
        count += more;
    }

    /** Extends the extremes, which are integers or {@link DoubleOrder} longs. */
    public void addExtremes(long least, long greatest) {
        min = Math.min(min, least);
        max = Math.max(max, greatest);
    }

    /** Adds to the sum of an integer column: {@code bin0 + 2^32 * bin1}. */
    public void addIntegerBins(long bin0, long bin1) {
        addInteger(bin1 >> 32, bin1 << 32);
        addInteger(bin0 >> 63, bin0);
    }

    private void addInteger(long high, long low) {
        if (integers != null) {
            integers.add(high, low);
        }
    }

    /** Adds to one bin of the sum of a floating column; see {@link DoubleSum}. */
    public void addFloatingBin(int bin, long amount) {
        if (doubles != null) {
            doubles.addToBin(bin, amount);
        }
    }

    /** Sets specials of a floating column, as {@link io.flinkgpu.exact.BinaryGrid} names them. */
    public void addSpecials(int specials) {
        if (doubles != null) {
            doubles.addSpecials(specials);
        }
    }

    /** Keeps what both keep: a part that one of them lacks would not be of all values. */
    void merge(ColumnPartial other) {
        if (floating != other.floating) {
            throw Errors.argument(
                    "partials that are merged have the same columns: floating=%s, other=%s",
                    floating, other.floating);
        }
        count += other.count;
        keepsExtremes &= other.keepsExtremes;
        addExtremes(other.min, other.max);
        if (other.integers == null) {
            integers = null;
        } else if (integers != null) {
            integers.add(other.integers);
        }
        if (other.doubles == null) {
            doubles = null;
        } else if (doubles != null) {
            doubles.add(other.doubles);
        }
        if (other.cells.length < cells.length) {
            cells = Arrays.copyOf(cells, other.cells.length);
        }
        for (int i = 0; i < cells.length; i++) {
            cells[i].merge(other.cells[i]);
        }
    }

    boolean keeps(boolean areFloating, boolean sum, boolean extremes, int cellCount) {
        return floating == areFloating
                && (!sum || integers != null || doubles != null)
                && (!extremes || keepsExtremes)
                && cellCount <= cells.length;
    }

    int cells() {
        return cells.length;
    }

    PartialCell cell(int index) {
        return cells[index];
    }

    public long count() {
        return count;
    }

    /** The least value, an integer or a {@link DoubleOrder} long. */
    public long min() {
        return min;
    }

    /** The greatest value, likewise. */
    public long max() {
        return max;
    }

    /** The sum of an integer column; null if none is kept. Not to be changed. */
    public LongSum integers() {
        return integers;
    }

    /** The sum of a floating column; null if none is kept. Not to be changed. */
    public DoubleSum doubles() {
        return doubles;
    }

    /** A result that the column keeps the parts of. */
    Object result(Aggregate aggregate, ValueSpec spec, int column) {
        boolean isOfSum = aggregate == Aggregate.SUM || aggregate == Aggregate.MEAN;
        RoundedSum rounded = isOfSum && doubles != null ? doubles.rounded() : null;
        return ColumnResult.of(aggregate, spec, column, count, min, max, integers, rounded);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnPartial that
                && floating == that.floating
                && keepsExtremes == that.keepsExtremes
                && count == that.count
                && (!keepsExtremes || min == that.min && max == that.max)
                && Objects.equals(integers, that.integers)
                && Objects.equals(doubles, that.doubles)
                && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return Objects.hash(count, integers, doubles);
    }

    @Override
    public String toString() {
        return "count="
                + count
                + (integers != null ? ", sum=" + integers : "")
                + (doubles != null ? ", sum=" + doubles : "");
    }
}
