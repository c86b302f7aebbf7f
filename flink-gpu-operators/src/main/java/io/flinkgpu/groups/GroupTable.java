package io.flinkgpu.groups;

import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.exact.DoubleOrder;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.words.BinWords;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * Groups by key, each a row of 64-bit words off the heap: what of its values is kept, to be added to and
 * merged in place. A group has a number, which stays the same until the table is cleared. Two keys are
 * one group if and only if all their bytes are the same, whatever the hash.
 *
 * <p>If memory runs out, {@link org.apache.arrow.memory.OutOfMemoryException} is thrown and the call has
 * changed no group. Not thread-safe.
 */
@Internal
public final class GroupTable implements AutoCloseable {

    private static final int FIRST_SLOTS = 64;
    private static final long LIMB = 0xffff_ffffL;

    /** After so many additions the bins of a sum are carried. */
    private static final int CARRY_BITS = 30;

    private final BufferAllocator allocator;
    private final KeyHash hash;
    private final RowPages rows;
    private final Arena arena;
    private final int values;
    private final TableCells cells;

    /** For each slot the hash's upper half, and the group and one more; 0 where the slot is free. */
    private ArrowBuf slots;

    private long slotsAddress;
    private int shift;
    private long mask;
    private int size;
    private int changed;
    private int unemitted;

    /** An empty table, which takes its memory from an allocator; see {@link GroupTables}. */
    GroupTable(BufferAllocator allocator, RowLayout layout, List<KeptCell> kept, KeyHash hash) {
        this.allocator = allocator;
        this.hash = hash;
        this.rows = new RowPages(allocator, layout);
        this.arena = new Arena(allocator);
        this.values = layout.values();
        this.cells = new TableCells(allocator, kept);
    }

    /** How many groups there are. */
    public int size() {
        return size;
    }

    /** What the table takes of its allocator. */
    public long bytes() {
        long slotBytes = slots == null ? 0 : slots.capacity();
        return slotBytes + rows.bytes() + arena.bytes() + cells.bytes();
    }

    /** How many of them were added to since {@link #clearChanged}. */
    public int changed() {
        return changed;
    }

    /** How many of them were added to since {@link #clearUnemitted}. */
    public int unemitted() {
        return unemitted;
    }

    /** The group of a key; -1 if there is none. After the key 8 bytes more can be read. */
    public int find(byte[] key, int at, int length) {
        if (size == 0) {
            return -1;
        }
        return probe(hash.of(key, at, length), KeyHash.word(key, at, length), key, at, length);
    }

    /**
     * The group of a key, which is a new one if there was none.
     *
     * @param key after which 8 bytes more can be read; copied if the group is new
     * @param keyGroup Flink's key group of the key, kept with it
     */
    public int group(byte[] key, int at, int length, int keyGroup) {
        return group(hash.of(key, at, length), key, at, length, keyGroup);
    }

    /**
     * Reads where the groups of some hashes may be, so that they are in the cache when they are searched.
     * There is no branch that depends on what is read: many reads are on their way at once.
     *
     * @return what was read, of no meaning
     */
    long touch(long[] hashes, int count) {
        if (size == 0) {
            return 0;
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += MemoryUtil.getLong(slotsAddress + ((hashes[i] >>> shift) << 3));
        }
        for (int i = 0; i < count; i++) {
            // The first group instead of none.
            sum += rows.touch(Math.max(0, candidate(hashes[i])));
        }
        return sum;
    }

    /** The first group whose hash is alike in its upper half; -1 if there is none. */
    private int candidate(long hashed) {
        long tag = hashed >>> Integer.SIZE;
        long index = hashed >>> shift;
        while (true) {
            long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
            if (slot == 0 || slot >>> Integer.SIZE == tag) {
                return (int) slot - 1;
            }
            index = index + 1 & mask;
        }
    }

    int group(long hashed, byte[] key, int at, int length, int keyGroup) {
        long word = KeyHash.word(key, at, length);
        if (size == 0 && slots == null) {
            useSlots(FIRST_SLOTS);
        }
        int group = probe(hashed, word, key, at, length);
        return group >= 0 ? group : add(hashed, word, key, at, length, keyGroup);
    }

    /** The group, or -1. */
    private int probe(long hashed, long word, byte[] key, int at, int length) {
        long tag = hashed >>> Integer.SIZE;
        long index = hashed >>> shift;
        while (true) {
            long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
            if (slot == 0) {
                return -1;
            }
            if (slot >>> Integer.SIZE == tag) {
                int group = (int) slot - 1;
                long row = rows.address(group);
                if (MemoryUtil.getInt(row + RowLayout.LENGTH) == length
                        && MemoryUtil.getLong(row + RowLayout.KEY) == word
                        && (length <= Long.BYTES || isRest(row, key, at, length))) {
                    return group;
                }
            }
            index = index + 1 & mask;
        }
    }

    /** Whether the bytes of a key after the first eight are those of a row. */
    private static boolean isRest(long row, byte[] key, int at, int length) {
        long rest = MemoryUtil.getLong(row + RowLayout.REST);
        if (length <= RowLayout.SHORT_KEY) {
            return rest == KeyHash.word(key, at + Long.BYTES, length - Long.BYTES);
        }
        int i = Long.BYTES;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (MemoryUtil.getLong(rest + i) != (long) KeyBytes.LONGS.get(key, at + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (MemoryUtil.getByte(rest + i) != key[at + i]) {
                return false;
            }
        }
        return true;
    }

    private int add(long hashed, long word, byte[] key, int at, int length, int keyGroup) {
        if (2L * (size + 1) > mask + 1) {
            useSlots(2 * (mask + 1));
        }
        long rest = 0;
        if (length > RowLayout.SHORT_KEY) {
            rest = arena.copy(key, at, length);
        } else if (length > Long.BYTES) {
            rest = KeyHash.word(key, at + Long.BYTES, length - Long.BYTES);
        }
        int group = rows.add();
        long row = rows.address(group);
        MemoryUtil.putInt(row + RowLayout.LENGTH, length);
        MemoryUtil.putShort(row + RowLayout.KEY_GROUP, (short) keyGroup);
        MemoryUtil.putShort(row + RowLayout.CHANGED, (short) 0);
        MemoryUtil.putLong(row + RowLayout.KEY, word);
        MemoryUtil.putLong(row + RowLayout.REST, rest);
        putSlot(hashed >>> Integer.SIZE, group);
        size++;
        return group;
    }

    private void putSlot(long tag, int group) {
        long index = tag << Integer.SIZE >>> shift;
        while (MemoryUtil.getLong(slotsAddress + (index << 3)) != 0) {
            index = index + 1 & mask;
        }
        MemoryUtil.putLong(slotsAddress + (index << 3), tag << Integer.SIZE | group + 1);
    }

    private void useSlots(long count) {
        if (count > 1L << Integer.SIZE - 1) {
            throw new IllegalStateException("a table has at most 2^30 groups: groups=" + size);
        }
        ArrowBuf grown = allocator.buffer(count << 3);
        grown.setZero(0, count << 3);
        ArrowBuf old = slots;
        long oldSlots = old == null ? 0 : mask + 1;
        long oldAddress = slotsAddress;
        slots = grown;
        slotsAddress = grown.memoryAddress();
        mask = count - 1;
        shift = Long.numberOfLeadingZeros(mask);
        for (long i = 0; i < oldSlots; i++) {
            long slot = MemoryUtil.getLong(oldAddress + (i << 3));
            if (slot != 0) {
                putSlot(slot >>> Integer.SIZE, (int) slot - 1);
            }
        }
        if (old != null) {
            old.close();
        }
    }

    /** How many columns of a row are added: its values, and what it adds to cells. */
    public int columns() {
        return values + cells.size();
    }

    /** Adds one of these columns, which is not null, to a group. */
    public void add(int group, int column, RowValues row) {
        if (column < values) {
            add(group, column, row.word(column));
        } else {
            addCell(group, column - values, row.text(column), 0, row.textBytes(column));
        }
    }

    /** Adds what a row adds to a cell, by the cell's number among those of all values. */
    void addCell(int group, int cell, byte[] bytes, int at, int length) {
        long row = rows.address(group);
        cells.add(row + rows.layout(group).cells, cell, bytes, at, length);
        markChanged(row);
    }

    /** The hash of a key, for calls that need it. */
    long hash(byte[] key, int at, int length) {
        return hash.of(key, at, length);
    }

    /** The group that a key finds; -1 if there is none. */
    int find(long hashed, byte[] key, int at, int length) {
        return size == 0 ? -1 : probe(hashed, KeyHash.word(key, at, length), key, at, length);
    }

    /** A group of another one's key, which its key does not find; it is not counted. */
    int addTwin(int group) {
        int twin = rows.add();
        long row = rows.address(twin);
        MemoryUtil.copyMemory(rows.address(group), row, RowLayout.SPARE);
        MemoryUtil.putShort(row + RowLayout.CHANGED, (short) 0);
        return twin;
    }

    /** Lets the key of a group find a twin instead. */
    void findInstead(long hashed, int group, int twin) {
        long index = hashed >>> shift;
        long slot = MemoryUtil.getLong(slotsAddress + (index << 3));
        while ((int) slot != group + 1) {
            index = index + 1 & mask;
            slot = MemoryUtil.getLong(slotsAddress + (index << 3));
        }
        MemoryUtil.putLong(slotsAddress + (index << 3), slot & ~LIMB | twin + 1);
    }

    /** A spare word of a group, 0 at first. */
    long spare(int group, int word) {
        return MemoryUtil.getLong(spareAddress(group, word));
    }

    void setSpare(int group, int word, long value) {
        MemoryUtil.putLong(spareAddress(group, word), value);
    }

    private long spareAddress(int group, int word) {
        return rows.address(group) + RowLayout.SPARE + (long) Long.BYTES * word;
    }

    /** Adds a value that is not null to a group: an integer, or a double's bits with a single NaN. */
    public void add(int group, int value, long word) {
        RowLayout layout = rows.layout(group);
        if (layout.floating[value]) {
            addFloating(group, value, word, layout, rows.address(group));
        } else if (layout.squares[value] != RowLayout.NONE) {
            addSquared(group, value, word);
        } else {
            addInteger(layout, rows.address(group), value, word);
        }
    }

    private void addSquared(int group, int value, long word) {
        int bins = (int) word == word ? 1 : 2;
        if (bins > rows.layout(group).bins[value]) {
            rows.widen(group, value, 0, bins);
        }
        RowLayout layout = rows.layout(group);
        long row = rows.address(group);
        BinWords.addSquareOfInteger(row + layout.squares[value], Long.BYTES, word);
        if (addInteger(layout, row, value, word)) {
            carry(group, value);
        }
    }

    /** Adds an integer; whether it is time to carry. */
    private boolean addInteger(RowLayout layout, long row, int value, long word) {
        markChanged(row);
        if (layout.minima[value] != RowLayout.NONE) {
            addExtremes(row + layout.minima[value], word, word);
        }
        if (layout.sums[value] != RowLayout.NONE) {
            addInteger(row + layout.sums[value], word >> 63, word);
        }
        return addCount(row + layout.counts[value], 1);
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
        markChanged(to);
        if (wide.minima[value] != RowLayout.NONE) {
            long ordered = DoubleOrder.toOrdered(word);
            addExtremes(to + wide.minima[value], ordered, ordered);
        }
        if (addCount(to + wide.counts[value], 1)) {
            carry(group, value);
        }
    }

    /**
     * Adds what another group keeps of each value.
     *
     * @param from of the same values; of another table, or of none
     */
    public void merge(int group, GroupSource from) {
        for (int value = 0; value < values; value++) {
            widenFor(group, value, from);
        }
        RowLayout layout = rows.layout(group);
        long row = rows.address(group);
        if (!cells.isEmpty()) {
            cells.prepare(row + layout.cells, from);
            cells.merge(row + layout.cells);
        }
        markChanged(row);
        for (int value = 0; value < values; value++) {
            long count = from.count(value);
            if (count == 0) {
                continue;
            }
            if (layout.minima[value] != RowLayout.NONE) {
                addExtremes(row + layout.minima[value], from.min(value), from.max(value));
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
            if (addCount(row + layout.counts[value], count)) {
                carry(group, value);
                layout = rows.layout(group);
                row = rows.address(group);
            }
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

    private void markChanged(long row) {
        int marks = MemoryUtil.getShort(row + RowLayout.CHANGED);
        if (marks != (RowLayout.SINCE_SNAPSHOT | RowLayout.SINCE_EMISSION)) {
            MemoryUtil.putShort(
                    row + RowLayout.CHANGED,
                    (short) (RowLayout.SINCE_SNAPSHOT | RowLayout.SINCE_EMISSION));
            changed += ~marks & RowLayout.SINCE_SNAPSHOT;
            unemitted += (~marks & RowLayout.SINCE_EMISSION) >> 1;
        }
    }

    /** Adds to a count; whether it is time to carry. */
    private static boolean addCount(long address, long more) {
        long before = MemoryUtil.getLong(address);
        MemoryUtil.putLong(address, before + more);
        return (before ^ before + more) >>> CARRY_BITS != 0;
    }

    private static void addExtremes(long address, long least, long greatest) {
        if (least < MemoryUtil.getLong(address)) {
            MemoryUtil.putLong(address, least);
        }
        if (greatest > MemoryUtil.getLong(address + 8)) {
            MemoryUtil.putLong(address + 8, greatest);
        }
    }

    private static void addInteger(long address, long high, long low) {
        long sum = MemoryUtil.getLong(address) + low;
        MemoryUtil.putLong(address, sum);
        BinWords.add(address + 8, high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0));
    }

    /** A cursor over the groups, in the order in which they came; valid while none is added. */
    public GroupCursor cursor() {
        return new GroupCursor(rows);
    }

    /** How many values a group has. */
    public long count(int group, int value) {
        return MemoryUtil.getLong(rows.address(group) + rows.layout(group).counts[value]);
    }

    /** The least of a group's integers, of which the extremes are kept. */
    public long min(int group, int value) {
        return MemoryUtil.getLong(rows.address(group) + rows.layout(group).minima[value]);
    }

    /** Makes one integer the least and the greatest of a group, whatever there was. */
    public void setExtremes(int group, int value, long word) {
        long row = rows.address(group);
        int at = rows.layout(group).minima[value];
        MemoryUtil.putLong(row + at, word);
        MemoryUtil.putLong(row + at + 8, word);
        markChanged(row);
    }

    /** Makes a group one of no values. It counts as changed only if it is added to. */
    public void reset(int group) {
        long row = rows.address(group);
        RowLayout layout = rows.layout(group);
        cells.reset(row + layout.cells);
        for (int i = layout.firstWord; i < layout.initial.length; i++) {
            MemoryUtil.putLong(row + (long) Long.BYTES * i, layout.initial[i]);
        }
    }

    /** Marks all groups as not changed since a snapshot. */
    public void clearChanged() {
        if (changed > 0) {
            clear(RowLayout.SINCE_SNAPSHOT);
            changed = 0;
        }
    }

    /** Marks all groups as not changed since they were emitted. */
    public void clearUnemitted() {
        if (unemitted > 0) {
            clear(RowLayout.SINCE_EMISSION);
            unemitted = 0;
        }
    }

    private void clear(int mark) {
        for (int page = 0; page < rows.pages(); page++) {
            for (int place = 0; place < rows.size(page); place++) {
                long marks = rows.address(RowPages.row(page, place)) + RowLayout.CHANGED;
                MemoryUtil.putShort(marks, (short) (MemoryUtil.getShort(marks) & ~mark));
            }
        }
    }

    /** Forgets all groups and gives their memory back. */
    public void clear() {
        rows.close();
        arena.close();
        cells.close();
        if (slots != null) {
            slots.close();
            slots = null;
        }
        mask = 0;
        size = 0;
        changed = 0;
        unemitted = 0;
    }

    @Override
    public void close() {
        clear();
    }
}
