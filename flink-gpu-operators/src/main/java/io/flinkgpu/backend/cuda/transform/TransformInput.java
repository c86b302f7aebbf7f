package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the columns of a batch are in host memory. A view, valid while the batch is open.
 *
 * @param rows at least 1
 * @param separatorBytes behind each text
 */
record TransformInput(int rows, int separatorBytes, List<Column> columns) {

    /**
     * A column.
     *
     * @param data texts: the first row's bytes
     * @param dataBytes their bytes, of all rows
     * @param offsets of texts, else 0
     * @param firstOffset the first of them
     * @param validity a bit a row; 0 where no row is null
     */
    record Column(
            ColumnType type,
            long data,
            long dataBytes,
            long offsets,
            int firstOffset,
            long validity) {

        long offsetsBytes(int rows) {
            return offsets == 0 ? 0 : 4 * (rows + 1L);
        }

        long validityBytes(int rows) {
            return validity == 0 ? 0 : bitmapBytes(rows);
        }
    }

    static TransformInput of(List<ColumnType> types, ColumnBatch batch) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(column(types.get(i), batch, i));
        }
        return new TransformInput(batch.rows(), batch.separatorBytes(), columns);
    }

    private static Column column(ColumnType type, ColumnBatch batch, int index) {
        FieldVector vector = batch.vector(index);
        long validity = vector.getNullCount() == 0 ? 0 : vector.getValidityBuffer().memoryAddress();
        if (type == ColumnType.TEXT) {
            TextView text = batch.text(index);
            int first = text.start(0);
            return new Column(
                    type,
                    text.dataAddress() + first,
                    text.dataBytes() - first,
                    text.offsetsAddress(),
                    first,
                    validity);
        }
        long data = vector.getDataBuffer().memoryAddress();
        return new Column(type, data, dataBytes(type, batch.rows()), 0, 0, validity);
    }

    /** Bytes of a column of rows that are no texts. */
    static long dataBytes(ColumnType type, int rows) {
        return type == ColumnType.BOOLEAN ? bitmapBytes(rows) : 8L * rows;
    }

    /** Bytes of a bit a row. */
    static long bitmapBytes(int rows) {
        return (rows + 7L) / 8;
    }

    /** Bytes of all texts. */
    long textBytes() {
        return columns.stream()
                .filter(column -> column.type() == ColumnType.TEXT)
                .mapToLong(Column::dataBytes)
                .sum();
    }
}
