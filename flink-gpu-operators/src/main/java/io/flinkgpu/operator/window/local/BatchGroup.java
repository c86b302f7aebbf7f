package io.flinkgpu.operator.window.local;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

/** Reads the groups of a {@link GroupedBatch}, one at a time. Not thread-safe. */
@Internal
public final class BatchGroup implements GroupSource {

    private GroupedBatch batch;
    private WordLayout layout;
    private int group;

    /** Begins with a batch, which stays the caller's. */
    public BatchGroup open(GroupedBatch from) {
        batch = from;
        layout = from.layout();
        return this;
    }

    /** Goes to a group. */
    public BatchGroup move(int to) {
        group = to;
        return this;
    }

    @Override
    public long count(int value) {
        return batch.word(layout.first(value, Term.COUNT), group);
    }

    @Override
    public long min(int value) {
        return batch.word(value, Term.MIN, 0, group);
    }

    @Override
    public long max(int value) {
        return batch.word(value, Term.MAX, 0, group);
    }

    @Override
    public int specials(int value) {
        return (int) batch.word(value, Term.SPECIALS, 0, group);
    }

    @Override
    public int firstBin(int value) {
        return batch.firstBin(value);
    }

    @Override
    public int bins(int value) {
        return layout.has(value, Term.SPECIALS) ? layout.bins(value) : 0;
    }

    @Override
    public long bin(int value, int index) {
        return batch.word(layout.first(value, Term.SUM) + index, group);
    }

    @Override
    public long sumLow(int value) {
        return bin0(value) + (bin1(value) << Integer.SIZE);
    }

    @Override
    public long sumHigh(int value) {
        long low = sumLow(value);
        long carry = Long.compareUnsigned(low, bin0(value)) < 0 ? 1 : 0;
        return (bin1(value) >> Integer.SIZE) + (bin0(value) >> Long.SIZE - 1) + carry;
    }

    /** Of no bytes: plans of batches keep no cells. */
    @Override
    public void cell(int cell, CellBytes to) {
        to.own(0);
    }

    @Override
    public int firstSquareBin(int value) {
        return SquareGrid.BINS_PER_BIN * batch.firstBin(value);
    }

    @Override
    public int squareBins(int value) {
        return layout.words(value, Term.SQUARES);
    }

    @Override
    public long squareBin(int value, int index) {
        return batch.word(layout.first(value, Term.SQUARES) + index, group);
    }

    private long bin0(int value) {
        return batch.word(value, Term.SUM, 0, group);
    }

    private long bin1(int value) {
        return batch.word(value, Term.SUM, 1, group);
    }
}
