package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.state.Partial;

import org.apache.flink.annotation.Internal;
import org.apache.flink.util.FlinkRuntimeException;

import java.util.List;

/** Adds records to partials, one at a time. Not thread-safe. */
@Internal
public final class RowPartials<T> {

    private final List<ValueSpec> specs;
    private final ValueReader<T> reader;
    private final RowCells cells;
    private final RowValues row;
    private final ErrorValues errors;

    /**
     * @param errors writes values into messages
     */
    public RowPartials(Aggregates<T> aggregates, ErrorValues errors) {
        this.errors = errors;
        specs = aggregates.specs();
        reader = new ValueReader<>(aggregates, errors);
        cells = new RowCells(specs);
        row = cells.newRow();
    }

    /**
     * Reads a record, which later calls of {@link #addTo} add.
     *
     * @param timestamp of the record
     * @throws FlinkRuntimeException if it cannot be aggregated, naming the column
     */
    public void read(T record, long timestamp, Object key) {
        try {
            reader.read(record, row);
            cells.fill(row, timestamp);
        } catch (BadValueException e) {
            throw new FlinkRuntimeException(
                    e.getMessage() + ", key=" + errors.shown(key) + errors.remedy(), e);
        }
    }

    /** A partial of no records. */
    public Partial ofNone() {
        return new Partial(specs);
    }

    /** Adds the record that was read last to a group of a table. */
    public void addTo(GroupTable table, int group) {
        for (int column = 0; column < table.columns(); column++) {
            if (!row.isNull(column)) {
                table.add(group, column, row);
            }
        }
    }

    /** Adds the record that was read last. */
    public void addTo(Partial partial) {
        partial.add(row);
    }
}
