package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.lines.LineAggregateSpec;
import io.flinkgpu.operator.lines.LineCellSpec;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.lines.LineRows;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.types.Row;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Aggregates of lines by field: checked, with the types of the format. */
final class LineColumns {

    private final LineReading reading;
    private final Delimited format;
    private final Aggregates<Row> aggregates;

    /** Of the columns, then of the other columns that cells ask for. */
    private final List<Integer> fields = new ArrayList<>();

    /**
     * @throws IllegalArgumentException if one is of no field, or not of the type that is needed
     */
    LineColumns(LineReading reading, Aggregates<Row> ofFields) {
        this.reading = reading;
        this.format = reading.format();
        List<ValueSpec> specs = ofFields.specs();
        for (int column = 0; column < specs.size(); column++) {
            fields.add(column(ofFields.field(column), specs.get(column).label(column)));
        }
        for (int column = 0; column < specs.size(); column++) {
            List<String> others = ofFields.otherFields(column);
            for (int cell = 0; cell < others.size(); cell++) {
                if (ofFields.others(column).get(cell) != null) {
                    String result = specs.get(column).cells().get(cell).name();
                    fields.add(other(others.get(cell), result));
                }
            }
        }
        this.aggregates = ofFields.withFields(this::getter, this::type).checked();
        if (aggregates.isByTime() && !reading.hasTime()) {
            throw Errors.argument(
                    "first() and last() are by the time of a line: columns=%s; call"
                            + " eventTime(field, maxOutOfOrderness) before keyBy(..)",
                    aggregates.specs().stream().map(ValueSpec::name).toList());
        }
    }

    /** With getters that read the row of a line. */
    Aggregates<Row> aggregates() {
        return aggregates;
    }

    /**
     * What groups lines before they are sent: batches on the backend, but rows on the host where groups keep
     * more than numbers.
     *
     * @throws IllegalArgumentException if the memory limit is too small for the batches
     */
    BatchSpec<Lines, WindowInput<String, Row>, ?> spec(
            int keyField, WindowShape shape, GpuOptions options) {
        List<ValueSpec> specs = aggregates.specs();
        if (specs.stream().anyMatch(spec -> !spec.cells().isEmpty() || !spec.type().isNumber())) {
            return LineCellSpec.of(reading, keyField, fields, specs, shape);
        }
        JobChecks.requireMemory(options, LineAggregateSpec.neededBytes(options.batchPolicy()));
        return LineAggregateSpec.of(reading, keyField, fields, specs, shape);
    }

    private int column(String name, String label) {
        int index = index(name, label);
        Field field = format.fields().get(index);
        if (field.isTimestamp() || type(field) == null) {
            throw Errors.argument(
                    "of lines numbers and strings are aggregated: field='%s', type=%s; declare it as"
                            + " a number or a string, for example with doubleNumber(..), or use"
                            + " rows() and GpuStreams.on(rows)",
                    field.name(), field.format());
        }
        return index;
    }

    private int other(String name, String result) {
        return index(name, "result='" + result + "'");
    }

    private int index(String name, String label) {
        if (name == null) {
            throw Errors.argument(
                    "aggregates of lines are of fields: %s; use Aggregates.ofField(name),"
                            + " andField(name) and argMax(name, field), or rows() and"
                            + " GpuStreams.on(rows)",
                    label);
        }
        return format.indexOf(name);
    }

    private ColumnType type(String name) {
        return type(format.fields().get(format.indexOf(name)));
    }

    /** Null of what is not read. */
    private static ColumnType type(Field field) {
        return field.format() == FieldFormat.STRING ? ColumnType.TEXT : field.valueType();
    }

    private ValueGetter<Row, ?> getter(String name) {
        int position = LineRows.position(format, format.indexOf(Objects.requireNonNull(name)));
        return row -> row.getField(position);
    }
}
