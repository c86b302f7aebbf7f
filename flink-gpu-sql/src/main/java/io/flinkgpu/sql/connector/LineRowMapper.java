package io.flinkgpu.sql.connector;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineFields;
import io.flinkgpu.api.lines.LineMapper;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;

import java.util.List;

/** Makes a row of some fields of a line, or a view of them: texts stay bytes. */
final class LineRowMapper implements LineMapper<RowData> {

    private static final long serialVersionUID = 1L;

    private final int[] columns;
    private final Field[] fields;
    private final LineFilter[] filters;
    private final boolean inPlace;

    /** The row of all lines if they are read in place; made with the first one. */
    private transient LineRow view;

    /**
     * @param columns which fields, in the order of the row
     * @param filters what lines have to be; of others there are no rows
     * @param inPlace whether all rows are the same one, a view of the last line
     */
    LineRowMapper(Delimited format, int[] columns, List<LineFilter> filters, boolean inPlace) {
        this.inPlace = inPlace;
        this.columns = columns.clone();
        this.filters = filters.toArray(LineFilter[]::new);
        fields = new Field[columns.length];
        for (int i = 0; i < columns.length; i++) {
            fields[i] = format.fields().get(columns[i]);
        }
    }

    @Override
    public RowData map(LineFields line) {
        for (LineFilter filter : filters) {
            if (filter.of(line) != LineFilter.TRUE) {
                return null;
            }
        }
        if (inPlace) {
            view = view == null ? new LineRow(columns, fields) : view;
            return view.of(line);
        }
        GenericRowData row = new GenericRowData(columns.length);
        for (int i = 0; i < columns.length; i++) {
            row.setField(i, value(line, columns[i], fields[i]));
        }
        return row;
    }

    private static Object value(LineFields line, int column, Field field) {
        if (field.format() == FieldFormat.SKIPPED || line.isNull(column)) {
            return null;
        }
        return switch (field.format()) {
            case STRING -> StringData.fromBytes(line.text(column));
            case INT -> (int) line.word(column);
            case LONG -> line.word(column);
            case DOUBLE -> Double.longBitsToDouble(line.word(column));
            case DECIMAL ->
                    DecimalData.fromUnscaledLong(
                            line.word(column), field.type().precision(), field.type().scale());
            case EPOCH_MILLIS, ISO_TIMESTAMP -> TimestampData.fromEpochMillis(line.word(column));
            case SKIPPED -> null;
        };
    }
}
