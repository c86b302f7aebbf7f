package io.flinkgpu.groups;

import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.cells.CellFunction;
import io.flinkgpu.cells.KeptCell;

import org.apache.arrow.memory.BufferAllocator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The cells of a table's groups. A group's are known by where its row has the first of them. */
final class TableCells implements AutoCloseable {

    private final CellFunction[] functions;
    private final CellArena arena;
    private final TableCell cell;

    /** What is added to each. */
    private final CellBytes[] more;

    TableCells(BufferAllocator allocator, List<KeptCell> kept) {
        functions = kept.stream().map(KeptCell::function).toArray(CellFunction[]::new);
        arena = new CellArena(allocator);
        cell = new TableCell(arena);
        more = Stream.generate(CellBytes::new).limit(functions.length).toArray(CellBytes[]::new);
    }

    boolean isEmpty() {
        return functions.length == 0;
    }

    int size() {
        return functions.length;
    }

    /** Adds what a row adds to a cell. */
    void add(long cells, int index, byte[] bytes, int at, int length) {
        reserve(cells, index, length);
        functions[index].merge(cell, bytes, at, length);
    }

    private void reserve(long cells, int index, int length) {
        cell.open(cells + (long) Long.BYTES * index);
        cell.reserve(functions[index].mostBytes(cell.length(), length));
    }

    /** Makes room for another group's cells, which {@link #merge} adds then without needing memory. */
    void prepare(long cells, GroupSource from) {
        for (int i = 0; i < functions.length; i++) {
            from.cell(i, more[i]);
            if (more[i].length() > 0) {
                reserve(cells, i, more[i].length());
            }
        }
    }

    /** Adds what was prepared. */
    void merge(long cells) {
        for (int i = 0; i < functions.length; i++) {
            if (more[i].length() > 0) {
                cell.open(cells + (long) Long.BYTES * i);
                functions[i].merge(cell, more[i].array(), more[i].at(), more[i].length());
            }
        }
    }

    /** Makes them cells of no rows. */
    void reset(long cells) {
        for (int i = 0; i < functions.length; i++) {
            cell.open(cells + (long) Long.BYTES * i).free();
        }
    }

    /** What they take of the allocator. */
    long bytes() {
        return arena.bytes();
    }

    @Override
    public void close() {
        arena.close();
    }

    @Override
    public String toString() {
        return "TableCells" + Arrays.toString(functions);
    }
}
