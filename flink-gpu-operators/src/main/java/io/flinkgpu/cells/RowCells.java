package io.flinkgpu.cells;

import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * What rows add to cells. The columns of such a row are the values, what it adds to each cell, and the
 * other columns that aggregates ask for. Not thread-safe.
 */
@Internal
public final class RowCells {

    private final int values;
    private final KeptCell[] cells;
    private final int columns;
    private final CellBytes[] added;

    public RowCells(List<ValueSpec> values) {
        this.values = values.size();
        this.cells = KeptCell.of(values).toArray(KeptCell[]::new);
        this.added = new CellBytes[cells.length];
        int others = 0;
        for (ValueSpec value : values) {
            for (CellAggregate cell : value.cells()) {
                others += cell.other() == null ? 0 : 1;
            }
        }
        this.columns = values.size() + cells.length + others;
        for (int i = 0; i < added.length; i++) {
            added[i] = new CellBytes();
        }
    }

    /** A row, to be filled. */
    public RowValues newRow() {
        return new RowValues(columns);
    }

    /**
     * Sets what a row adds to each cell, null if nothing: once the other columns are there.
     *
     * @param timestamp of the record; any number if no aggregate is by time
     */
    public void fill(RowValues row, long timestamp) {
        for (int i = 0; i < cells.length; i++) {
            KeptCell cell = cells[i];
            if (row.isNull(cell.value())) {
                row.putNull(values + i);
            } else {
                cell.encoder().encode(row, timestamp, added[i]);
                row.putBytes(values + i, added[i].array(), added[i].length());
            }
        }
    }
}
