package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellFunction;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.DoubleSum;
import io.flinkgpu.exact.LongSum;
import io.flinkgpu.exact.RoundedSum;
import io.flinkgpu.exact.SquareSum;

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

    // Null if none is kept.
    private SquareSum squares;

    ColumnPartial(
            boolean floating,
            boolean keepsSum,
            boolean keepsExtremes,
            boolean keepsSquares,
            List<CellFunction> cellFunctions) {
        this.cells = PartialCell.of(cellFunctions);
        this.floating = floating;
        this.keepsExtremes = keepsExtremes;
        if (keepsSum && floating) {
            doubles = new DoubleSum();
        } else if (keepsSum) {
            integers = new LongSum();
        }
        squares = keepsSquares ? new SquareSum() : null;
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
        squares = from.squares == null ? null : from.squares.copy();
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
        if (squares != null && floating) {
            squares.addDouble(word);
        } else if (squares != null) {
            squares.addInteger(word);
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

    /** Adds to the sum of an integer column: {@code low}, unsigned, and {@code 2^64 * high}. */
    void addInteger(long high, long low) {
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

    /** Adds to one bin of the sum of squares; see {@link SquareSum}. */
    public void addSquareBin(int bin, long amount) {
        if (squares != null) {
            squares.addToBin(bin, amount);
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
        if (other.squares == null) {
            squares = null;
        } else if (squares != null) {
            squares.add(other.squares);
        }
        if (other.cells.length < cells.length) {
            cells = Arrays.copyOf(cells, other.cells.length);
        }
        for (int i = 0; i < cells.length; i++) {
            cells[i].merge(other.cells[i]);
        }
    }

    boolean keeps(KeptColumn kept) {
        return floating == kept.isFloating()
                && (!kept.sum() || integers != null || doubles != null)
                && (!kept.extremes() || keepsExtremes)
                && (!kept.squares() || squares != null)
                && kept.cells().size() <= cells.length;
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

    /** The sum of the squares of finite values; null if none is kept. Not to be changed. */
    public SquareSum squares() {
        return squares;
    }

    /** A result that the column keeps the parts of. */
    Object result(Aggregate aggregate, ValueSpec spec, int column) {
        boolean isOfSum =
                aggregate != Aggregate.COUNT
                        && aggregate != Aggregate.MIN
                        && aggregate != Aggregate.MAX;
        RoundedSum rounded = isOfSum && doubles != null ? doubles.rounded() : null;
        Digits exactSquares = isOfSum && squares != null ? squares.digits() : null;
        return ColumnResult.of(
                aggregate, spec, column, count, min, max, integers, rounded, exactSquares);
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
                && Objects.equals(squares, that.squares)
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
                + (doubles != null ? ", sum=" + doubles : "")
                + (squares != null ? ", squares=" + squares : "");
    }
}
