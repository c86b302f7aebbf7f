package io.flinkgpu.sql.connector;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.Collector;

import java.util.Arrays;

/** Makes a row of each line: the line as a text, or nothing where the query does not read it. */
final class RawLines implements FlatMapFunction<LineChunk, RowData> {

    private static final long serialVersionUID = 1L;

    private final int columns;

    /**
     * @param columns 1, or 0 where lines are only counted
     */
    RawLines(int columns) {
        this.columns = columns;
    }

    /** Checks that a line can be the only column of a table. */
    static void checkColumns(RowType columns) {
        LogicalType first = columns.getFieldCount() == 1 ? columns.getTypeAt(0) : null;
        if (!(first instanceof VarCharType text) || text.getLength() != VarCharType.MAX_LENGTH) {
            throw Errors.argument(
                    "without a 'separator' a line is one text: columns=%s; declare one STRING"
                            + " column, or give the 'separator'",
                    columns.asSummaryString());
        }
    }

    @Override
    public void flatMap(LineChunk chunk, Collector<RowData> out) {
        byte[] bytes = chunk.bytes();
        for (int start = 0; start < bytes.length; ) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            int textEnd = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
            GenericRowData row = new GenericRowData(columns);
            if (columns == 1) {
                row.setField(0, StringData.fromBytes(Arrays.copyOfRange(bytes, start, textEnd)));
            }
            out.collect(row);
            start = end + 1;
        }
    }
}
