package io.flinkgpu.groups;

import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.words.BinWords;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Adds to what rows keep of values in words: single ones, and what other groups keep. Gives the sums as
 * many bins as they need. If memory runs out, no row has changed. Not thread-safe.
 */
final class RowWords {

    /** After so many additions the bins of a sum are carried. */
    private static final int CARRY_BITS = 30;

    private static final long EXTREMES = 1L << Integer.SIZE;
    private static final long SUM = 2L << Integer.SIZE;

    private final RowPages rows;
    private final RowMarks marks;
    private final int values;

    /**
     * Where the count of each integer is which is added to in the same way in all rows, {@link #EXTREMES} and
     * {@link #SUM} if these follow it; else {@link RowLayout#NONE}.
     */
    private final long[] plain;

    /**
     * @param layout of rows of no values
     */
    RowWords(RowPages rows, RowMarks marks, RowLayout layout) {
        this.rows = rows;
        this.marks = marks;
        this.values = layout.values();
        this.plain = new long[values];
        for (int value = 0; value < values; value++) {
            boolean isPlain = layout.neverWidens() && !layout.floating[value];
            plain[value] = isPlain ? plain(layout, value) : RowLayout.NONE;
        }
    }

    private static long plain(RowLayout layout, int value) {
        return layout.counts[value]
                | (layout.minima[value] == RowLayout.NONE ? 0 : EXTREMES)
                | (layout.sums[value] == RowLayout.NONE ? 0 : SUM);
    }

    /** Adds a value that is not null to a group: an integer, or a double's bits with a single NaN. */
    void add(int group, int value, long word) {
        if (plain[value] != RowLayout.NONE) {
            addPlain(rows.address(group), plain[value], word);
            return;
        }
        RowLayout layout = rows.layout(group);
        if (layout.floating[value]) {
            if (isTimeToCarry(rows.address(group) + layout.counts[value], 1)) {
                carry(group, value);
                layout = rows.layout(group);
            }
            addFloating(group, value, word, layout, rows.address(group));
        } else if (layout.squares[value] != RowLayout.NONE) {
            addSquared(group, value, word);
        } else {
            addInteger(layout, rows.address(group), value, word);
        }
    }

    private void addPlain(long row, long how, long word) {
        marks.mark(row);
        long at = row + (int) how;
        BinWords.add(at, 1);
        at += Long.BYTES;
        if ((how & EXTREMES) != 0) {
            // Which it is cannot be foreseen where values are few.
            MemoryUtil.putLong(at, Math.min(MemoryUtil.getLong(at), word));
            MemoryUtil.putLong(
                    at + Long.BYTES, Math.max(MemoryUtil.getLong(at + Long.BYTES), word));
            at += 2 * Long.BYTES;
        }
        if ((how & SUM) != 0) {
            addInteger(at, word >> 63, word);
        }
    }

    private void addSquared(int group, int value, long word) {
        int bins = (int) word == word ? 1 : 2;
        if (bins > rows.layout(group).bins[value]) {
            rows.widen(group, value, 0, bins);
        }
        RowLayout layout = rows.layout(group);
        long row = rows.address(group);
        if (isTimeToCarry(row + layout.counts[value], 1)) {
            carry(group, value);
            layout = rows.layout(group);
            row = rows.address(group);
        }
        BinWords.addSquareOfInteger(row + layout.squares[value], Long.BYTES, word);
        addInteger(layout, row, value, word);
    }

    private void addInteger(RowLayout layout, long row, int value, long word) {
        marks.mark(row);
        if (layout.minima[value] != RowLayout.NONE) {
            BinWords.addExtremes(row + layout.minima[value], word, word);
        }
        if (layout.sums[value] != RowLayout.NONE) {
            addInteger(row + layout.sums[value], word >> 63, word);
        }
        BinWords.add(row + layout.counts[value], 1);
    }

    private void addFloating(int group, int value, long word, RowLayout layout, long row) {
        long to = row;
        RowLayout wide = layout;
        if (layout.sums[value] != RowLayout.NONE) {
            int exponent = BinaryGrid.exponent(word);
            if (!BinaryGrid.isFinite(exponent)) {
                long specials = row + layout.specials[value];
                MemoryUtil.putLong(
                        specials, MemoryUtil.getLong(specials) | BinaryGrid.special(word));
            } else if (word << 1 != 0) {
                int bin = BinaryGrid.firstBin(exponent);
                int at = bin - layout.firstBins[value];
                if (at < 0 || at + BinaryGrid.BINS_PER_VALUE > layout.bins[value]) {
                    rows.widen(group, value, bin, bin + BinaryGrid.BINS_PER_VALUE);
                    wide = rows.layout(group);
                    to = rows.address(group);
                    at = bin - wide.firstBins[value];
                }
                BinWords.addDouble(
                        to + wide.sums[value] + (long) Long.BYTES * at, Long.BYTES, word, exponent);
                if (wide.squares[value] != RowLayout.NONE) {
                    BinWords.addSquareOfDouble(
                            to
                                    + wide.squares[value]
                                    + (long) Long.BYTES * SquareGrid.BINS_PER_BIN * at,
                            Long.BYTES,
                            word,
                            exponent);
                }
            }
        }
        marks.mark(to);
        if (wide.minima[value] != RowLayout.NONE) {
            long ordered = DoubleOrder.toOrdered(word);
            BinWords.addExtremes(to + wide.minima[value], ordered, ordered);
        }
        BinWords.add(to + wide.counts[value], 1);
    }

    /** Makes room for what {@link #merge} adds then without needing memory. */
    void prepare(int group, GroupSource from) {
        for (int value = 0; value < values; value++) {
            long count = rows.address(group) + rows.layout(group).counts[value];
            if (isTimeToCarry(count, from.count(value))) {
                carry(group, value);
            }
            widenFor(group, value, from);
        }
    }

    /** Adds what another group keeps of each value, for which there is room. */
    void merge(int group, GroupSource from) {
        RowLayout layout = rows.layout(group);
        long row = rows.address(group);
        marks.mark(row);
        for (int value = 0; value < values; value++) {
            long count = from.count(value);
            if (count == 0) {
                continue;
            }
            if (layout.minima[value] != RowLayout.NONE) {
                BinWords.addExtremes(row + layout.minima[value], from.min(value), from.max(value));
            }
            if (layout.hasSumBins(value)) {
                long specials = row + layout.specials[value];
                MemoryUtil.putLong(specials, MemoryUtil.getLong(specials) | from.specials(value));
                int ahead = from.firstBin(value) - layout.firstBins[value];
                long bins = row + layout.sums[value] + (long) Long.BYTES * ahead;
                for (int i = 0; i < from.bins(value); i++) {
                    addBin(bins + (long) Long.BYTES * i, from.bin(value, i));
                }
            } else if (layout.sums[value] != RowLayout.NONE) {
                addInteger(row + layout.sums[value], from.sumHigh(value), from.sumLow(value));
            }
            if (layout.squares[value] != RowLayout.NONE) {
                int ahead =
                        from.firstSquareBin(value)
                                - SquareGrid.BINS_PER_BIN * layout.firstBins[value];
                long bins = row + layout.squares[value] + (long) Long.BYTES * ahead;
                for (int i = 0; i < from.squareBins(value); i++) {
                    addBin(bins + (long) Long.BYTES * i, from.squareBin(value, i));
                }
            }
            BinWords.add(row + layout.counts[value], count);
        }
    }

    private static void addBin(long bin, long amount) {
        // The bins that are 0 may be outside of those that there are.
        if (amount != 0) {
            BinWords.addSplit(bin, Long.BYTES, amount);
        }
    }

    /** Makes room for the bins of sums that are not 0, and for what the last of them carries. */
    private void widenFor(int group, int value, GroupSource from) {
        RowLayout layout = rows.layout(group);
        if (from.count(value) == 0) {
            return;
        }
        if (layout.hasSumBins(value)) {
            int first = 0;
            int end = from.bins(value);
            while (end > 0 && from.bin(value, end - 1) == 0) {
                end--;
            }
            while (first < end && from.bin(value, first) == 0) {
                first++;
            }
            if (first < end) {
                long top = from.bin(value, end - 1);
                int firstBin = from.firstBin(value);
                widen(group, value, firstBin + first, firstBin + end + ((int) top == top ? 0 : 1));
            }
        }
        if (layout.squares[value] != RowLayout.NONE) {
            int first = 0;
            int end = from.squareBins(value);
            while (end > 0 && from.squareBin(value, end - 1) == 0) {
                end--;
            }
            while (first < end && from.squareBin(value, first) == 0) {
                first++;
            }
            if (first < end) {
                long top = from.squareBin(value, end - 1);
                int firstBin = from.firstSquareBin(value) + first;
                int endBin = from.firstSquareBin(value) + end + ((int) top == top ? 0 : 1);
                widen(
                        group,
                        value,
                        layout.floating[value] ? firstBin / SquareGrid.BINS_PER_BIN : 0,
                        (endBin + SquareGrid.BINS_PER_BIN - 1) / SquareGrid.BINS_PER_BIN);
            }
        }
    }

    /** Makes bins of a value, unless they are there. */
    private void widen(int group, int value, int firstBin, int endBin) {
        RowLayout layout = rows.layout(group);
        if (firstBin < layout.firstBins[value]
                || endBin > layout.firstBins[value] + layout.bins[value]) {
            rows.widen(group, value, firstBin, endBin);
        }
    }

    /** Brings each bin of sums into 32 bits again, with one more bin if a last one needs it. */
    private void carry(int group, int value) {
        RowLayout layout = rows.layout(group);
        int bins = layout.bins[value];
        if (bins == 0) {
            return;
        }
        long row = rows.address(group);
        if (layout.hasSumBins(value) && isFull(row + layout.sums[value], bins)
                || layout.squares[value] != RowLayout.NONE
                        && isFull(row + layout.squares[value], SquareGrid.BINS_PER_BIN * bins)) {
            int end = layout.firstBins[value] + bins;
            rows.widen(group, value, end, end + 1);
            layout = rows.layout(group);
            row = rows.address(group);
            bins++;
        }
        if (layout.hasSumBins(value)) {
            carry(row + layout.sums[value], bins);
        }
        if (layout.squares[value] != RowLayout.NONE) {
            carry(row + layout.squares[value], SquareGrid.BINS_PER_BIN * bins);
        }
    }

    /** Whether the last of some bins has not much room left. */
    private static boolean isFull(long first, int bins) {
        long last = MemoryUtil.getLong(first + Long.BYTES * (bins - 1L));
        return (last ^ last >> Long.SIZE - 1) >> CARRY_BITS + Integer.SIZE - 2 != 0;
    }

    private static void carry(long first, int bins) {
        long bin = first;
        long carried = 0;
        for (int i = 0; i < bins - 1; i++, bin += Long.BYTES) {
            long amount = MemoryUtil.getLong(bin) + carried;
            int digit = (int) amount;
            MemoryUtil.putLong(bin, digit);
            carried = (amount >> BinaryGrid.BIN_BITS) + (digit >>> 31);
        }
        BinWords.add(bin, carried);
    }

    /** Whether bins are to be carried before so many more values are counted. */
    private static boolean isTimeToCarry(long count, long more) {
        long before = MemoryUtil.getLong(count);
        return (before ^ before + more) >>> CARRY_BITS != 0;
    }

    private static void addInteger(long address, long high, long low) {
        long sum = MemoryUtil.getLong(address) + low;
        MemoryUtil.putLong(address, sum);
        BinWords.add(address + 8, high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0));
    }
}
