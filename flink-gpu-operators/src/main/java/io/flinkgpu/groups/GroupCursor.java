package io.flinkgpu.groups;

import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.exact.SquareGrid;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Reads the groups of a {@link GroupTable}, one at a time: first {@link #next()} or {@link #move}. Valid
 * until a group is added to the table. Not thread-safe.
 */
@Internal
public final class GroupCursor implements GroupSource {

    private final RowPages rows;
    private int page;
    private int place = -1;
    private long row;
    private RowLayout layout;

    GroupCursor(RowPages rows) {
        this.rows = rows;
    }

    /** Goes to the next group; false if there is none. */
    public boolean next() {
        place++;
        while (page < rows.pages() && place == rows.size(page)) {
            page++;
            place = 0;
        }
        if (page == rows.pages()) {
            return false;
        }
        move(RowPages.row(page, place));
        return true;
    }

    /** The number of the group that {@link #next()} went to. */
    public int group() {
        return RowPages.row(page, place);
    }

    /** Goes to a group by its number, and not on from there. */
    public GroupCursor move(int group) {
        row = rows.address(group);
        layout = rows.layout(group);
        return this;
    }

    /** How many bytes the key has. */
    public int keyLength() {
        return MemoryUtil.getInt(row + RowLayout.LENGTH);
    }

    public int keyGroup() {
        return MemoryUtil.getShort(row + RowLayout.KEY_GROUP) & 0xffff;
    }

    /** Whether the group was added to since {@link GroupTable#clearChanged} of a tier or one above it. */
    public boolean isChanged(int tier) {
        return isMarked(RowMarks.sinceTier(tier));
    }

    /** Whether the group was added to since {@link GroupTable#clearUnemitted}. */
    public boolean isUnemitted() {
        return isMarked(RowLayout.SINCE_EMISSION);
    }

    private boolean isMarked(int mark) {
        return (MemoryUtil.getShort(row + RowLayout.CHANGED) & mark) != 0;
    }

    /** Sets the key's bytes. */
    public void key(KeyBytes to) {
        int length = keyLength();
        long rest = MemoryUtil.getLong(row + RowLayout.REST);
        to.setLength(length);
        if (length <= RowLayout.SHORT_KEY) {
            KeyBytes.LONGS.set(to.array(), 0, MemoryUtil.getLong(row + RowLayout.KEY));
            KeyBytes.LONGS.set(to.array(), Long.BYTES, rest);
        } else {
            MemoryUtil.copyFromMemory(rest, to.array(), 0, length);
        }
    }

    @Override
    public long count(int value) {
        return MemoryUtil.getLong(row + layout.counts[value]);
    }

    @Override
    public long min(int value) {
        int at = layout.minima[value];
        return at == RowLayout.NONE ? Long.MAX_VALUE : MemoryUtil.getLong(row + at);
    }

    @Override
    public long max(int value) {
        int at = layout.minima[value];
        return at == RowLayout.NONE ? Long.MIN_VALUE : MemoryUtil.getLong(row + at + 8);
    }

    @Override
    public int specials(int value) {
        int at = layout.specials[value];
        return at == RowLayout.NONE ? 0 : (int) MemoryUtil.getLong(row + at);
    }

    @Override
    public int firstBin(int value) {
        return layout.firstBins[value];
    }

    @Override
    public int bins(int value) {
        return layout.hasSumBins(value) ? layout.bins[value] : 0;
    }

    @Override
    public long bin(int value, int index) {
        return MemoryUtil.getLong(row + layout.sums[value] + (long) Long.BYTES * index);
    }

    @Override
    public long sumLow(int value) {
        int at = layout.sums[value];
        return at == RowLayout.NONE ? 0 : MemoryUtil.getLong(row + at);
    }

    @Override
    public long sumHigh(int value) {
        int at = layout.sums[value];
        return at == RowLayout.NONE ? 0 : MemoryUtil.getLong(row + at + 8);
    }

    @Override
    public void cell(int cell, CellBytes to) {
        long block = MemoryUtil.getLong(row + layout.cells + (long) Long.BYTES * cell);
        if (block == CellArena.NONE) {
            to.own(0);
            return;
        }
        int length = CellArena.length(block);
        MemoryUtil.copyFromMemory(CellArena.contents(block), to.own(length), 0, length);
    }

    @Override
    public int firstSquareBin(int value) {
        return SquareGrid.BINS_PER_BIN * layout.firstBins[value];
    }

    @Override
    public int squareBins(int value) {
        return layout.squares[value] == RowLayout.NONE
                ? 0
                : SquareGrid.BINS_PER_BIN * layout.bins[value];
    }

    @Override
    public long squareBin(int value, int index) {
        return MemoryUtil.getLong(row + layout.squares[value] + (long) Long.BYTES * index);
    }
}
