package io.flinkgpu.operator.window.local;

import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Reads the groups of a {@link GroupedBatch}, one at a time. Not thread-safe. */
@Internal
public final class BatchGroup implements GroupSource {

    private static final int NONE = 0;

    private GroupedBatch batch;
    private WordLayout layout;

    /** For each value where the first group's words of a term are; {@link #NONE} if it is not kept. */
    private long[] counts = {};

    private long[] minima = {};
    private long[] maxima = {};
    private long[] specials = {};
    private long[] sums = {};
    private long[] squares = {};

    /** Bytes from a bin of a group to the next one. */
    private long strideBytes;

    /** Bytes from the first group's words to the group's. */
    private long at;

    /** Begins with a batch, which stays the caller's. */
    public BatchGroup open(GroupedBatch from) {
        batch = from;
        layout = from.layout();
        strideBytes = (long) Long.BYTES * from.groups();
        counts = addresses(Term.COUNT);
        minima = addresses(Term.MIN);
        maxima = addresses(Term.MAX);
        specials = addresses(Term.SPECIALS);
        sums = addresses(Term.SUM);
        squares = addresses(Term.SQUARES);
        return this;
    }

    private long[] addresses(Term term) {
        long[] addresses = new long[layout.values()];
        for (int value = 0; value < addresses.length; value++) {
            addresses[value] =
                    layout.has(value, term) ? batch.address(layout.first(value, term)) : NONE;
        }
        return addresses;
    }

    /** Goes to a group. */
    public BatchGroup move(int to) {
        at = (long) Long.BYTES * to;
        return this;
    }

    private long word(long[] addresses, int value, long ofNone) {
        long address = addresses[value];
        return address == NONE ? ofNone : MemoryUtil.getLong(address + at);
    }

    @Override
    public long count(int value) {
        return MemoryUtil.getLong(counts[value] + at);
    }

    @Override
    public long min(int value) {
        return word(minima, value, Long.MAX_VALUE);
    }

    @Override
    public long max(int value) {
        return word(maxima, value, Long.MIN_VALUE);
    }

    @Override
    public int specials(int value) {
        return (int) word(specials, value, 0);
    }

    @Override
    public int firstBin(int value) {
        return batch.firstBin(value);
    }

    @Override
    public int bins(int value) {
        return specials[value] == NONE ? 0 : layout.bins(value);
    }

    @Override
    public long bin(int value, int index) {
        return MemoryUtil.getLong(sums[value] + strideBytes * index + at);
    }

    @Override
    public long sumLow(int value) {
        return sums[value] == NONE ? 0 : bin(value, 0) + (bin(value, 1) << Integer.SIZE);
    }

    @Override
    public long sumHigh(int value) {
        if (sums[value] == NONE) {
            return 0;
        }
        long first = bin(value, 0);
        long second = bin(value, 1);
        long carry = Long.compareUnsigned(first + (second << Integer.SIZE), first) < 0 ? 1 : 0;
        return (second >> Integer.SIZE) + (first >> Long.SIZE - 1) + carry;
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
        return MemoryUtil.getLong(squares[value] + strideBytes * index + at);
    }
}
