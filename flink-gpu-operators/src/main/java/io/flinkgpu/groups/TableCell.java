package io.flinkgpu.groups;

import io.flinkgpu.cells.Cell;

import org.apache.arrow.memory.util.MemoryUtil;

/** The cell of a table that it was opened at. */
final class TableCell implements Cell {

    private final CellArena arena;
    private long place;
    private long block;
    private long contents;

    TableCell(CellArena arena) {
        this.arena = arena;
    }

    /** Goes to a cell, by where the address of its block is. */
    TableCell open(long newPlace) {
        place = newPlace;
        use(MemoryUtil.getLong(newPlace));
        return this;
    }

    private void use(long newBlock) {
        block = newBlock;
        contents = CellArena.contents(newBlock);
    }

    /**
     * Makes sure that the cell may become as long as this.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    void reserve(int length) {
        if (block != CellArena.NONE && length <= CellArena.capacity(block)) {
            return;
        }
        long old = block;
        use(arena.allocate(length));
        if (old != CellArena.NONE) {
            int kept = CellArena.length(old);
            CellArena.setLength(block, kept);
            MemoryUtil.copyMemory(CellArena.contents(old), contents, kept);
            arena.free(old);
        }
        MemoryUtil.putLong(place, block);
    }

    /** Makes it a cell of no rows. */
    void free() {
        if (block != CellArena.NONE) {
            arena.free(block);
            MemoryUtil.putLong(place, CellArena.NONE);
            use(CellArena.NONE);
        }
    }

    @Override
    public int length() {
        return block == CellArena.NONE ? 0 : CellArena.length(block);
    }

    @Override
    public void resize(int length) {
        if (length > CellArena.capacity(block)) {
            throw new IllegalStateException(
                    "a cell must not become longer than its function said: length=%d, most=%d"
                            .formatted(length, CellArena.capacity(block)));
        }
        CellArena.setLength(block, length);
    }

    @Override
    public byte getByte(int at) {
        return MemoryUtil.getByte(contents + at);
    }

    @Override
    public void putByte(int at, byte value) {
        MemoryUtil.putByte(contents + at, value);
    }

    @Override
    public int getInt(int at) {
        return MemoryUtil.getInt(contents + at);
    }

    @Override
    public long getLong(int at) {
        return MemoryUtil.getLong(contents + at);
    }

    @Override
    public void putLong(int at, long value) {
        MemoryUtil.putLong(contents + at, value);
    }

    @Override
    public void get(int at, byte[] to, int toAt, int count) {
        MemoryUtil.copyFromMemory(contents + at, to, toAt, count);
    }

    @Override
    public void put(int at, byte[] from, int fromAt, int count) {
        MemoryUtil.copyToMemory(from, fromAt, contents + at, count);
    }
}
