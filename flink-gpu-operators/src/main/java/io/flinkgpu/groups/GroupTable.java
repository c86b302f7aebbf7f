package io.flinkgpu.groups;

import io.flinkgpu.cells.KeptCell;
import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

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

    /** How many tiers of state a group can have changed since the last write to. */
    public static final int TIERS = 3;

    private final KeyHash hash;
    private final RowPages rows;
    private final Arena arena;
    private final int values;
    private final KeySlots slots;
    private final RowMarks marks;
    private final RowWords words;
    private final TableCells cells;
    private int size;

    /** An empty table, which takes its memory from an allocator; see {@link GroupTables}. */
    GroupTable(BufferAllocator allocator, RowLayout layout, List<KeptCell> kept, KeyHash hash) {
        this.hash = hash;
        this.rows = new RowPages(allocator, layout);
        this.arena = new Arena(allocator);
        this.values = layout.values();
        this.slots = new KeySlots(allocator, rows);
        this.marks = new RowMarks(rows);
        this.words = new RowWords(rows, marks, layout);
        this.cells = new TableCells(allocator, kept);
    }

    /** How many groups there are. */
    public int size() {
        return size;
    }

    /** What the table takes of its allocator. */
    public long bytes() {
        return slots.bytes() + rows.bytes() + arena.bytes() + cells.bytes();
    }

    /** How many of them were added to since {@link #clearChanged} of any tier. */
    public int changed() {
        return marks.changed();
    }

    /** How many of them were added to since {@link #clearUnemitted}. */
    public int unemitted() {
        return marks.unemitted();
    }

    /** The group of a key; -1 if there is none. After the key 8 bytes more can be read. */
    public int find(byte[] key, int at, int length) {
        return find(hash.of(key, at, length), key, at, length);
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

    /** See {@link KeySlots#touch}. */
    long touch(KeyWords keys, int count) {
        return slots.touch(keys, count);
    }

    /**
     * Whether a group has this key; not if there is no such group.
     *
     * @param word {@link KeyHash#word} of the key
     * @param second {@link KeyHash#second} of it
     */
    boolean hasKey(int group, long word, long second, byte[] key, int at, int length) {
        return rows.has(group) && slots.isKey(group, word, second, key, at, length);
    }

    int group(long hashed, byte[] key, int at, int length, int keyGroup) {
        long word = KeyHash.word(key, at, length);
        long second = KeyHash.second(key, at, length);
        int group = slots.find(hashed, word, second, key, at, length);
        return group >= 0 ? group : add(hashed, word, second, key, at, length, keyGroup);
    }

    private int add(
            long hashed, long word, long second, byte[] key, int at, int length, int keyGroup) {
        slots.reserve(size);
        long rest = length > RowLayout.SHORT_KEY ? arena.copy(key, at, length) : second;
        int group = rows.add();
        long row = rows.address(group);
        MemoryUtil.putInt(row + RowLayout.LENGTH, length);
        MemoryUtil.putShort(row + RowLayout.KEY_GROUP, (short) keyGroup);
        MemoryUtil.putShort(row + RowLayout.CHANGED, (short) 0);
        MemoryUtil.putLong(row + RowLayout.KEY, word);
        MemoryUtil.putLong(row + RowLayout.REST, rest);
        slots.put(hashed, group);
        size++;
        return group;
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
        marks.mark(row);
    }

    /** The hash of a key, for calls that need it. */
    long hash(byte[] key, int at, int length) {
        return hash.of(key, at, length);
    }

    /** What hashes keys. */
    KeyHash hash() {
        return hash;
    }

    /** The group that a key finds; -1 if there is none. */
    int find(long hashed, byte[] key, int at, int length) {
        long word = KeyHash.word(key, at, length);
        return slots.find(hashed, word, KeyHash.second(key, at, length), key, at, length);
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
        slots.findInstead(hashed, group, twin);
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
        words.add(group, value, word);
    }

    /**
     * Adds what another group keeps of each value.
     *
     * @param from of the same values; of another table, or of none
     */
    public void merge(int group, GroupSource from) {
        words.prepare(group, from);
        if (!cells.isEmpty()) {
            long first = rows.address(group) + rows.layout(group).cells;
            cells.prepare(first, from);
            cells.merge(first);
        }
        words.merge(group, from);
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
        marks.mark(row);
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

    /** Marks all groups as not changed since a write to a tier, 1 to {@link #TIERS}, or one below it. */
    public void clearChanged(int tier) {
        marks.clearChanged(tier);
    }

    /** Marks all groups as not changed since they were emitted. */
    public void clearUnemitted() {
        marks.clearUnemitted();
    }

    /** Forgets all groups and gives their memory back. */
    public void clear() {
        rows.close();
        arena.close();
        cells.close();
        slots.close();
        marks.forget();
        size = 0;
    }

    @Override
    public void close() {
        clear();
    }
}
