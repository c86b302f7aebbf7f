package io.flinkgpu.operator.lines;

import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineFields;
import io.flinkgpu.cells.RowCells;
import io.flinkgpu.column.RowValues;

/** What a line adds to its group, cells too. Task thread only. */
final class LineCells {

    private final RowCells cells;
    private final RowValues row;
    private final int[] columns;
    private final int[] fields;
    private final boolean[] isText;

    LineCells(LineCellSpec spec) {
        cells = new RowCells(spec.values());
        row = cells.newRow();
        int values = spec.values().size();
        int others = spec.fields().size() - values;
        fields = spec.fields().stream().mapToInt(Integer::intValue).toArray();
        columns = new int[fields.length];
        isText = new boolean[fields.length];
        for (int i = 0; i < fields.length; i++) {
            columns[i] = i < values ? i : row.columns() - others + i - values;
            Field field = spec.reading().format().fields().get(fields[i]);
            isText[i] = field.format() == FieldFormat.STRING;
        }
    }

    /**
     * The values of a line, and what they add to cells; valid until the next.
     *
     * @param timestamp of the line; any number if no aggregate is by time
     */
    RowValues row(LineFields line, long timestamp) {
        for (int i = 0; i < fields.length; i++) {
            if (isText[i]) {
                row.putText(columns[i], line.text(fields[i]));
            } else if (line.isNull(fields[i])) {
                row.putNull(columns[i]);
            } else {
                row.putWord(columns[i], line.word(fields[i]));
            }
        }
        cells.fill(row, timestamp);
        return row;
    }
}
