package io.flinkgpu.groups;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnAggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.LongSum;
import io.flinkgpu.exact.RoundedSum;
import io.flinkgpu.state.ColumnResult;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** Makes the results of groups, in the order of the values and of their aggregates. Not thread-safe. */
@Internal
public final class GroupResults {

    /** By value, in arrays, as they are asked of every group. */
    private final ValueSpec[] values;

    private final ColumnAggregate[][] aggregates;
    private final boolean[] floating;
    private final boolean[] summed;
    private final boolean[] squared;
    private final int results;
    private final List<KeptCell> cells;
    private final CellBytes bytes = new CellBytes();
    private long[] bins = {};

    public GroupResults(List<ValueSpec> values) {
        this.values = values.toArray(new ValueSpec[0]);
        this.cells = KeptCell.of(values);
        this.aggregates = new ColumnAggregate[values.size()][];
        this.floating = new boolean[values.size()];
        this.summed = new boolean[values.size()];
        this.squared = new boolean[values.size()];
        for (int value = 0; value < summed.length; value++) {
            ValueSpec spec = values.get(value);
            aggregates[value] = spec.aggregates().toArray(new ColumnAggregate[0]);
            floating[value] = spec.type().isFloating();
            summed[value] = spec.needsSum();
            squared[value] = spec.needsSquares();
        }
        this.results = values.stream().mapToInt(value -> value.aggregates().size()).sum();
    }

    /**
     * The results of a group, of the types that {@link Aggregate} lists.
     *
     * @throws ArithmeticException if a sum of integers does not fit a long, with the column's name, the
     *     sum and the remedy
     */
    public Object[] of(GroupSource group) {
        Object[] all = new Object[results];
        int at = 0;
        int cell = 0;
        for (int value = 0; value < values.length; value++) {
            ValueSpec spec = values[value];
            long count = group.count(value);
            boolean sums = count > 0 && summed[value];
            LongSum integers =
                    sums && !floating[value]
                            ? new LongSum(group.sumHigh(value), group.sumLow(value))
                            : null;
            RoundedSum doubles = sums && floating[value] ? sum(group, value) : null;
            Digits squares = count > 0 && squared[value] ? squares(group, value) : null;
            for (ColumnAggregate aggregate : aggregates[value]) {
                all[at++] =
                        aggregate instanceof Aggregate ofNumbers
                                ? ColumnResult.of(
                                        ofNumbers,
                                        spec,
                                        value,
                                        count,
                                        group.min(value),
                                        group.max(value),
                                        integers,
                                        doubles,
                                        squares)
                                : ofCell(group, cell++);
            }
        }
        return all;
    }

    private Object ofCell(GroupSource group, int cell) {
        group.cell(cell, bytes);
        return bytes.length() == 0
                ? null
                : cells.get(cell).function().result(bytes.array(), bytes.at(), bytes.length());
    }

    private RoundedSum sum(GroupSource group, int value) {
        useBins(group.bins(value));
        for (int i = 0; i < bins.length; i++) {
            bins[i] = group.bin(value, i);
        }
        return new RoundedSum(Digits.of(group.firstBin(value), bins), group.specials(value));
    }

    private Digits squares(GroupSource group, int value) {
        useBins(group.squareBins(value));
        for (int i = 0; i < bins.length; i++) {
            bins[i] = group.squareBin(value, i);
        }
        return Digits.of(group.firstSquareBin(value), bins);
    }

    private void useBins(int size) {
        if (bins.length != size) {
            bins = new long[size];
        }
    }
}
