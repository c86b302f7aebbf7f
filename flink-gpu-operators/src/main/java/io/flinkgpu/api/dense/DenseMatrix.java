package io.flinkgpu.api.dense;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/** Weights: a row for each number that comes in, a column for each that goes out. Immutable. */
@PublicEvolving
public final class DenseMatrix implements Serializable {

    private static final long serialVersionUID = 1L;

    private final int rows;
    private final int columns;
    private final float[] values;

    private DenseMatrix(int rows, int columns, float[] values) {
        this.rows = rows;
        this.columns = columns;
        this.values = values;
    }

    /**
     * Weights row after row.
     *
     * @param values copied
     * @throws IllegalArgumentException if their number is another
     */
    public static DenseMatrix of(int rows, int columns, float... values) {
        Objects.requireNonNull(values, "values");
        if (rows < 1 || columns < 1 || (long) rows * columns != values.length) {
            throw new IllegalArgumentException(
                    "a matrix has rows * columns values: rows="
                            + rows
                            + ", columns="
                            + columns
                            + ", values="
                            + values.length
                            + "; give as many");
        }
        return new DenseMatrix(rows, columns, values.clone());
    }

    /** The numbers that come in. */
    public int rows() {
        return rows;
    }

    /** The numbers that go out. */
    public int columns() {
        return columns;
    }

    /** The weight by which a number that comes in counts for one that goes out. */
    public float get(int row, int column) {
        return values[row * columns + column];
    }

    /** Rows become columns. */
    public DenseMatrix transposed() {
        float[] turned = new float[values.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                turned[column * rows + row] = values[row * columns + column];
            }
        }
        return new DenseMatrix(columns, rows, turned);
    }

    /** A copy of a row. */
    public float[] row(int row) {
        return Arrays.copyOfRange(values, row * columns, (row + 1) * columns);
    }

    /** A copy of a column. */
    public float[] column(int column) {
        float[] copy = new float[rows];
        for (int row = 0; row < rows; row++) {
            copy[row] = get(row, column);
        }
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DenseMatrix that
                && columns == that.columns
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * columns + Arrays.hashCode(values);
    }

    /** Shows its size. */
    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
