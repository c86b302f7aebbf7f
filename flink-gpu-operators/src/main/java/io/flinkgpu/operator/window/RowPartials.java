package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.state.Partial;

import org.apache.flink.util.FlinkRuntimeException;

import java.util.List;

/** Adds records to partials, one at a time. Not thread-safe. */
final class RowPartials<T> {

    private final List<ValueSpec> specs;
    private final ValueReader<T> reader;
    private final RowValues row;

    RowPartials(Aggregates<T> aggregates) {
        specs = aggregates.specs();
        reader = new ValueReader<>(aggregates);
        row = new RowValues(specs.size());
    }

    /**
     * Reads a record, which later calls of {@link #addTo} add.
     *
     * @throws FlinkRuntimeException if it cannot be aggregated, naming value and key
     */
    void read(T record, Object key) {
        try {
            reader.read(record, row);
        } catch (BadValueException e) {
            throw new FlinkRuntimeException(e.getMessage() + ", key=" + ValueReader.shown(key), e);
        }
    }

    /** A partial of no records. */
    Partial ofNone() {
        return new Partial(specs);
    }

    /** Adds the record that was read last to a group of a table. */
    void addTo(GroupTable table, int group) {
        for (int column = 0; column < row.columns(); column++) {
            if (!row.isNull(column)) {
                table.add(group, column, row.word(column));
            }
        }
    }

    /** Adds the record that was read last. */
    void addTo(Partial partial) {
        for (int column = 0; column < row.columns(); column++) {
            if (!row.isNull(column)) {
                partial.add(column, row.word(column));
            }
        }
    }
}
