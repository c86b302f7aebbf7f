package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;

import java.util.List;

/**
 * What is kept of the values of some rows, and merged: for each value column the count, and where its
 * aggregates need them the sum and the extremes. Adding and merging commute and associate: however rows
 * are cut into partials, the results are the same bits. Not thread-safe.
 */
public final class Partial {

    /** No rows. */
    public Partial(List<ValueSpec> specs) {}

    /**
     * Adds a value that is not null.
     *
     * @param column the value's column
     * @param word an integer, a decimal's unscaled value, or a double's bits
     */
    public void add(int column, long word) {
        throw new UnsupportedOperationException();
    }

    /** Adds the rows of another partial with the same columns, which stays as it is. */
    public void merge(Partial other) {
        throw new UnsupportedOperationException();
    }

    public void addCount(int column, long more) {
        throw new UnsupportedOperationException();
    }

    /** Extends the extremes, which are integers or {@link io.flinkgpu.exact.DoubleOrder} longs. */
    public void addExtremes(int column, long min, long max) {
        throw new UnsupportedOperationException();
    }

    /** Adds to the sum of an integer column: {@code bin0 + 2^32 * bin1}. */
    public void addIntegerBins(int column, long bin0, long bin1) {
        throw new UnsupportedOperationException();
    }

    /** Adds to one bin of the sum of a floating column; see {@link io.flinkgpu.exact.DoubleSum}. */
    public void addFloatingBin(int column, int bin, long amount) {
        throw new UnsupportedOperationException();
    }

    /** Sets specials of a floating column, as the {@link io.flinkgpu.exact.BinaryGrid} names them. */
    public void addSpecials(int column, int specials) {
        throw new UnsupportedOperationException();
    }

    /**
     * The results, in the order of the columns and of their aggregates, of the types that {@link
     * Aggregate} lists.
     *
     * @throws ArithmeticException if a sum of integers does not fit a long, with the column's name, the
     *     sum and the remedy
     */
    public Object[] results() {
        throw new UnsupportedOperationException();
    }

    public Partial copy() {
        throw new UnsupportedOperationException();
    }
}
