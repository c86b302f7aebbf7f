package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.vector.FieldVector;

/** Reads a column of a batch as objects, while the batch is open. Not thread-safe. */
public final class ResultReader {

    /** Bytes that are copied to the heap at once, so that few short copies are made. */
    private static final int WINDOW_BYTES = 8 << 10;

    private final FieldVector vector;
    private final TextView text;
    private final boolean hasNulls;

    private byte[] window = new byte[0];
    private int windowStart;

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
        return hasNulls && vector.isNull(row) ? null : text(row);
    }

    private String text(int row) {
        int start = text.start(row);
        int end = text.end(row);
        if (start < windowStart || end > windowStart + window.length) {
            int windowEnd = (int) Math.min((long) start + WINDOW_BYTES, text.dataBytes());
            windowStart = start;
            window = text.copy(start, Math.max(end, windowEnd));
        }
        return Utf8.decode(window, start - windowStart, end - start);
    }
}
