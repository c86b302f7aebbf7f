package io.flinkgpu.cells;

import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

/** Writes what a row adds to a cell, in the form of a cell. Immutable. */
@Internal
public interface CellEncoder {

    /**
     * Writes at least one byte.
     *
     * @param row in which the cell's column is not null
     * @param timestamp of the record; any number if the aggregate is not by time
     */
    void encode(RowValues row, long timestamp, CellBytes to);
}
