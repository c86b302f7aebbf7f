package io.flinkgpu.state;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnAggregate;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.List;

/**
 * What is kept of the values of some rows, and merged: for each value column the count, and where its
 * aggregates need them the sum, the extremes, the sum of squares and cells. Adding and merging commute and
 * associate: however rows
 * are cut into partials, the results are the same bits. A part that is not kept can be given and is
 * ignored. Not thread-safe, but methods that give something leave it as it is, so threads may read it
 * while none adds.
 */
@Internal
public final class Partial {

    private final ColumnPartial[] columns;

    /** No rows. */
    public Partial(List<ValueSpec> specs) {
        this(KeptColumn.of(specs).stream().map(KeptColumn::empty).toArray(ColumnPartial[]::new));
    }

    Partial(ColumnPartial[] columns) {
        this.columns = columns;
    }

    /**
     * Adds a value that is not null.
     *
     * @param column the value's column
     * @param word an integer, a decimal's unscaled value, or a double's bits
     */
    public void add(int column, long word) {
        columns[column].add(word);
    }

    /** Adds a row, whose columns are those of {@link io.flinkgpu.cells.RowCells}. */
    public void add(RowValues row) {
        for (int column = 0; column < columns.length; column++) {
            if (!row.isNull(column)) {
                columns[column].add(row.word(column));
            }
        }
        int next = columns.length;
        CellBytes added = new CellBytes();
        for (ColumnPartial column : columns) {
            for (int i = 0; i < column.cells(); i++, next++) {
                if (!row.isNull(next)) {
                    added.set(row.text(next), 0, row.textBytes(next));
                    column.cell(i).add(added);
                }
            }
        }
    }

    /**
     * Adds the rows of another partial with the same columns, which stays as it is. A part that the
     * other does not keep is dropped here.
     */
    public void merge(Partial other) {
        if (columns.length != other.columns.length) {
            throw Errors.argument(
                    "partials that are merged have the same columns: columns=%s, other=%s",
                    columns.length, other.columns.length);
        }
        for (int i = 0; i < columns.length; i++) {
            columns[i].merge(other.columns[i]);
        }
    }

    /** What is kept of a column, to be added to. */
    public ColumnPartial column(int column) {
        return columns[column];
    }

    /** How many cells there are in all columns. */
    public int cells() {
        int cells = 0;
        for (ColumnPartial column : columns) {
            cells += column.cells();
        }
        return cells;
    }

    /** A cell by its number among those of all columns, to be added to. */
    public PartialCell cell(int cell) {
        int column = 0;
        int index = cell;
        while (index >= columns[column].cells()) {
            index -= columns[column++].cells();
        }
        return columns[column].cell(index);
    }

    /**
     * The results, in the order of the columns and of their aggregates, of the types that {@link
     * Aggregate} lists.
     *
     * @param specs the columns; a partial that a savepoint brought may keep more than these need
     * @throws ArithmeticException if a sum of integers does not fit a long, with the column's name, the
     *     sum and the remedy
     * @throws IllegalStateException if a part that a result needs is not kept
     */
    public Object[] results(List<ValueSpec> specs) {
        int size = 0;
        for (ValueSpec spec : specs) {
            size += spec.aggregates().size();
        }
        Object[] results = new Object[size];
        int at = 0;
        for (int column = 0; column < columns.length; column++) {
            ValueSpec spec = specs.get(column);
            KeptColumn asked = KeptColumn.of(spec);
            ColumnPartial kept = columns[column];
            if (!kept.keeps(asked)) {
                throw lacks(column, asked);
            }
            int cell = 0;
            for (ColumnAggregate aggregate : spec.aggregates()) {
                results[at++] =
                        aggregate instanceof Aggregate ofNumbers
                                ? kept.result(ofNumbers, spec, column)
                                : kept.cell(cell++).result();
            }
        }
        return results;
    }

    public Partial copy() {
        ColumnPartial[] copies = new ColumnPartial[columns.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = columns[i].copy();
        }
        return new Partial(copies);
    }

    int columns() {
        return columns.length;
    }

    /** A column that keeps at least what is named. */
    ColumnPartial column(int column, KeptColumn kept) {
        if (!columns[column].keeps(kept)) {
            throw lacks(column, kept);
        }
        return columns[column];
    }

    private static IllegalStateException lacks(int column, KeptColumn asked) {
        return new IllegalStateException(
                "a partial must keep what is asked of it: column=" + column + ", " + asked);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Partial that && Arrays.equals(columns, that.columns);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(columns);
    }

    @Override
    public String toString() {
        return "Partial" + Arrays.toString(columns);
    }
}
