package io.flinkgpu.column;

import io.flinkgpu.api.expression.ColumnType;

import org.apache.arrow.vector.FieldVector;

/** Reads a column of a batch as objects, while the batch is open. Not thread-safe. */
public final class ResultReader {

    private final FieldVector vector;
    private final TextView text;
    private final boolean hasNulls;

    /**
     * @param type of the column; it decides the class of the objects
     */
    public ResultReader(ColumnBatch batch, int column, ColumnType type) {
        vector = batch.vector(column);
        text = type == ColumnType.TEXT ? batch.text(column) : null;
        hasNulls = vector.getNullCount() > 0;
    }

    /** A String, Long, Double or Boolean, or null. */
    public Object get(int row) {
        if (text == null) {
            return vector.getObject(row);
        }
        return hasNulls && vector.isNull(row) ? null : Utf8.decode(text.copyRow(row));
    }
}
