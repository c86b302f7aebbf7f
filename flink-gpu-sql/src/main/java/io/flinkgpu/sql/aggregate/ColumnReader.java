package io.flinkgpu.sql.aggregate;

import org.apache.flink.table.data.RowData;

import java.util.List;

/** Reads the values of rows that are aggregated as words. */
final class ColumnReader {

    private final AggregatedColumn.Kind[] kinds;
    private final int[] columns;
    private final int[] filters;
    private final int[] precisions;
    private final int[] scales;

    ColumnReader(List<AggregatedColumn> read) {
        kinds = read.stream().map(AggregatedColumn::kind).toArray(AggregatedColumn.Kind[]::new);
        columns = read.stream().mapToInt(AggregatedColumn::column).toArray();
        filters = read.stream().mapToInt(AggregatedColumn::filter).toArray();
        precisions = read.stream().mapToInt(AggregatedColumn::precision).toArray();
        scales = read.stream().mapToInt(AggregatedColumn::scale).toArray();
    }

    /** How many words a row has. */
    int size() {
        return kinds.length;
    }

    /**
     * Reads a row.
     *
     * @param at where its first word is to be
     * @return a bit for each value that there is
     */
    long read(RowData row, long[] words, int at) {
        long present = 0;
        for (int i = 0; i < kinds.length; i++) {
            int column = columns[i];
            if (passes(row, filters[i])
                    && (column == AggregatedColumn.NONE || !row.isNullAt(column))) {
                words[at + i] = word(row, i, column);
                present |= 1L << i;
            }
        }
        return present;
    }

    private static boolean passes(RowData row, int filter) {
        return filter == AggregatedColumn.NONE || !row.isNullAt(filter) && row.getBoolean(filter);
    }

    private long word(RowData row, int value, int column) {
        return switch (kinds[value]) {
            case COUNTED -> 0;
            case BYTE -> row.getByte(column);
            case SHORT -> row.getShort(column);
            case INT -> row.getInt(column);
            case LONG -> row.getLong(column);
            case DECIMAL ->
                    row.getDecimal(column, precisions[value], scales[value]).toUnscaledLong();
            case TIMESTAMP -> row.getTimestamp(column, precisions[value]).getMillisecond();
            case DOUBLE -> Double.doubleToLongBits(row.getDouble(column));
        };
    }
}
