package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.complex.ListVector;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Reads a column of a batch as objects, while the batch is open. Not thread-safe. */
@Internal
public final class ResultReader {

    /** Bytes that are copied to the heap at once, so that few short copies are made. */
    private static final int WINDOW_BYTES = 8 << 10;

    private final FieldVector vector;
    private final ColumnType type;

    /** Of the elements of lists and vectors; null for other types. */
    private final ResultReader elements;

    private final TextView text;
    private final boolean hasNulls;

    private byte[] window = new byte[0];
    private int windowStart;

    /**
     * @param type of the column; it decides the class of the objects
     */
    public ResultReader(ColumnBatch batch, int column, ColumnType type) {
        this(batch.vector(column), type, batch.separatorBytes());
    }

    private ResultReader(FieldVector vector, ColumnType type, int separatorBytes) {
        this.vector = vector;
        this.type = type;
        text = type == ColumnType.TEXT ? TextView.of(vector, separatorBytes) : null;
        elements =
                type.element() == null
                        ? null
                        : new ResultReader(
                                vector.getChildrenFromFields().get(0), type.element(), 0);
        hasNulls = vector.getNullCount() > 0;
    }

    /** An object of the class that {@link ColumnType} names, or null. */
    public Object get(int row) {
        if (hasNulls && vector.isNull(row)) {
            return null;
        }
        return switch (type.kind()) {
            case TEXT -> text(row);
            case BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN -> vector.getObject(row);
            case DECIMAL -> BigDecimal.valueOf((Long) vector.getObject(row), type.scale());
            case TIMESTAMP -> ((TimeStampMilliVector) vector).get(row);
            case LIST -> {
                ListVector lists = (ListVector) vector;
                List<Object> list = new ArrayList<>();
                for (int i = lists.getElementStartIndex(row);
                        i < lists.getElementEndIndex(row);
                        i++) {
                    list.add(elements.get(i));
                }
                yield list;
            }
            case VECTOR -> vector(row);
        };
    }

    /** An array of primitives. */
    private Object vector(int row) {
        int length = type.length();
        Object array =
                Array.newInstance(
                        switch (type.element().kind()) {
                            case INT -> int.class;
                            case LONG -> long.class;
                            case FLOAT -> float.class;
                            case DOUBLE -> double.class;
                            case TEXT, BYTES, BOOLEAN, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                    throw type.element().refusedBy("an element");
                        },
                        length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, elements.get(length * row + i));
        }
        return array;
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
