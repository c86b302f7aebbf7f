package io.flinkgpu.groups;

import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.state.ColumnPartial;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;

/** Reads partials as groups. What a partial does not keep is that of no values. Not thread-safe. */
@Internal
public final class PartialSource implements GroupSource {

    private final Digits[] digits;
    private final Digits[] squares;
    private Partial partial;

    public PartialSource(int values) {
        digits = new Digits[values];
        squares = new Digits[values];
    }

    /** Goes to a partial. */
    public PartialSource open(Partial from) {
        partial = from;
        for (int i = 0; i < digits.length; i++) {
            ColumnPartial column = from.column(i);
            digits[i] = column.doubles() == null ? null : column.doubles().digits();
            squares[i] = column.squares() == null ? null : column.squares().digits();
        }
        return this;
    }

    /** Adds a group to a partial of the same values. */
    public static void add(GroupSource group, int values, Partial into) {
        for (int value = 0; value < values; value++) {
            long count = group.count(value);
            if (count == 0) {
                continue;
            }
            ColumnPartial column = into.column(value);
            column.addCount(count);
            column.addExtremes(group.min(value), group.max(value));
            if (column.doubles() != null) {
                column.addSpecials(group.specials(value));
                for (int i = 0; i < group.bins(value); i++) {
                    column.addFloatingBin(group.firstBin(value) + i, group.bin(value, i));
                }
            } else if (column.integers() != null) {
                column.integers().add(group.sumHigh(value), group.sumLow(value));
            }
            for (int i = 0; i < group.squareBins(value); i++) {
                column.addSquareBin(group.firstSquareBin(value) + i, group.squareBin(value, i));
            }
        }
        if (into.cells() > 0) {
            addCells(group, into);
        }
    }

    private static void addCells(GroupSource group, Partial into) {
        CellBytes bytes = new CellBytes();
        for (int cell = 0; cell < into.cells(); cell++) {
            group.cell(cell, bytes);
            into.cell(cell).add(bytes);
        }
    }

    @Override
    public long count(int value) {
        return partial.column(value).count();
    }

    @Override
    public long min(int value) {
        return partial.column(value).min();
    }

    @Override
    public long max(int value) {
        return partial.column(value).max();
    }

    @Override
    public int specials(int value) {
        return digits[value] == null ? 0 : partial.column(value).doubles().specials();
    }

    @Override
    public int firstBin(int value) {
        return digits[value] == null ? 0 : digits[value].firstBin();
    }

    @Override
    public int bins(int value) {
        return digits[value] == null ? 0 : digits[value].size();
    }

    @Override
    public long bin(int value, int index) {
        return digits[value].digit(index);
    }

    @Override
    public long sumLow(int value) {
        return partial.column(value).integers() == null
                ? 0
                : partial.column(value).integers().low();
    }

    @Override
    public long sumHigh(int value) {
        return partial.column(value).integers() == null
                ? 0
                : partial.column(value).integers().high();
    }

    @Override
    public void cell(int cell, CellBytes to) {
        partial.cell(cell).read(to);
    }

    @Override
    public int firstSquareBin(int value) {
        return squares[value] == null ? 0 : squares[value].firstBin();
    }

    @Override
    public int squareBins(int value) {
        return squares[value] == null ? 0 : squares[value].size();
    }

    @Override
    public long squareBin(int value, int index) {
        return squares[value].digit(index);
    }
}
