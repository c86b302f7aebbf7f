package io.flinkgpu.state;

import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.cells.CellFunction;
import io.flinkgpu.cells.HeapCell;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** What a partial keeps of a column for an aggregate that words are too short for. */
@Internal
public final class PartialCell {

    private static final PartialCell[] NONE = {};

    private final CellFunction function;
    private final HeapCell bytes;

    PartialCell(CellFunction function) {
        this(function, new HeapCell());
    }

    private PartialCell(CellFunction function, HeapCell bytes) {
        this.function = function;
        this.bytes = bytes;
    }

    /** Cells of no rows. */
    static PartialCell[] of(List<CellFunction> functions) {
        return functions.isEmpty()
                ? NONE
                : functions.stream().map(PartialCell::new).toArray(PartialCell[]::new);
    }

    static PartialCell[] copy(PartialCell[] cells) {
        PartialCell[] copies = cells.length == 0 ? NONE : cells.clone();
        for (int i = 0; i < copies.length; i++) {
            copies[i] = new PartialCell(cells[i].function, cells[i].bytes.copy());
        }
        return copies;
    }

    /** Whether bytes, of which there are some, are a cell of this kind. */
    boolean isCell(byte[] cell) {
        return function.isCell(cell, 0, cell.length);
    }

    /** Adds another cell, or what a row adds; of no bytes nothing. */
    public void add(CellBytes more) {
        if (more.length() > 0) {
            function.merge(bytes, more.array(), more.at(), more.length());
        }
    }

    void merge(PartialCell other) {
        CellBytes more = new CellBytes();
        other.read(more);
        add(more);
    }

    /** Refers to its bytes, until it changes. */
    public void read(CellBytes to) {
        bytes.read(to);
    }

    /** What a user is given; null if nothing was added. */
    Object result() {
        CellBytes all = new CellBytes();
        read(all);
        return all.length() == 0 ? null : function.result(all.array(), all.at(), all.length());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartialCell that && bytes.equals(that.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.hashCode();
    }

    @Override
    public String toString() {
        return bytes.toString();
    }
}
