package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows with named columns, as objects: {@code byte[]}, {@code Long}, {@code Double}, {@code Boolean} or
 * null.
 *
 * @param columns names and types, in order
 * @param rows by name
 */
public record TransformInput(Map<String, ColumnType> columns, List<Map<String, Object>> rows) {

    /** What is in the place of a null is undefined: the worst that can be there. */
    private static final byte[] GARBAGE = SurrogateText.encode("\udce2\udc82 public");

    /** A row in which some columns have a text, and all others are null. */
    static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            boolean text = value instanceof String;
            row.put(
                    (String) namesAndValues[i],
                    text ? SurrogateText.encode((String) value) : value);
        }
        return row;
    }

    public TransformInput part(int from, int to) {
        return new TransformInput(columns, rows.subList(from, to));
    }

    /**
     * Some columns, the caller's to close.
     *
     * @param names of the columns, in order
     * @param separatorBytes 1 to put a {@code '\n'} behind each text
     */
    public ColumnBatch batch(BufferAllocator allocator, List<String> names, int separatorBytes) {
        List<FieldVector> vectors = new ArrayList<>();
        for (String name : names) {
            FieldVector vector =
                    switch (columns.get(name).kind()) {
                        case TEXT -> texts(allocator, name, separatorBytes);
                        case LONG -> longs(allocator, name);
                        case DOUBLE -> doubles(allocator, name);
                        case BOOLEAN -> booleans(allocator, name);
                        case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                                throw columns.get(name).refusedBy("a column");
                    };
            vector.setValueCount(rows.size());
            vectors.add(vector);
        }
        VectorSchemaRoot root = new VectorSchemaRoot(vectors);
        root.setRowCount(rows.size());
        return new ColumnBatch(root, separatorBytes);
    }

    /** A column of a batch, as objects. */
    public static List<Object> values(ColumnBatch batch, int column, ColumnType type) {
        FieldVector vector = batch.vector(column);
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            if (vector.isNull(row)) {
                values.add(null);
            } else if (type == ColumnType.TEXT) {
                TextView text = batch.text(column);
                values.add(text.copyRow(row));
            } else {
                values.add(vector.getObject(row));
            }
        }
        return values;
    }

    private VarCharVector texts(BufferAllocator allocator, String name, int separatorBytes) {
        long dataBytes = 0;
        for (Map<String, Object> row : rows) {
            dataBytes += bytesOf(row.get(name)).length + separatorBytes;
        }
        VarCharVector vector = new VarCharVector(name, allocator);
        int validityBytes = (rows.size() + 7) / 8;
        try (ArrowBuf validity = allocator.buffer(Math.max(8, validityBytes));
                ArrowBuf offsets = allocator.buffer(4L * (rows.size() + 1));
                ArrowBuf data = allocator.buffer(Math.max(1, dataBytes))) {
            byte[] bits = new byte[validityBytes];
            int end = 0;
            int nulls = 0;
            offsets.setInt(0, 0);
            for (int i = 0; i < rows.size(); i++) {
                Object value = rows.get(i).get(name);
                byte[] bytes = bytesOf(value);
                data.setBytes(end, bytes);
                end += bytes.length;
                if (separatorBytes == 1) {
                    data.setByte(end++, '\n');
                }
                offsets.setInt(4L * (i + 1), end);
                bits[i / 8] |= (byte) (value == null ? 0 : 1 << i % 8);
                nulls += value == null ? 1 : 0;
            }
            validity.setBytes(0, bits);
            offsets.writerIndex(4L * (rows.size() + 1));
            data.writerIndex(end);
            validity.writerIndex(validityBytes);
            vector.loadFieldBuffers(
                    new ArrowFieldNode(rows.size(), nulls), Arrays.asList(validity, offsets, data));
        }
        return vector;
    }

    private static byte[] bytesOf(Object value) {
        return value == null ? GARBAGE : (byte[]) value;
    }

    private BigIntVector longs(BufferAllocator allocator, String name) {
        BigIntVector vector = new BigIntVector(name, allocator);
        vector.allocateNew(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i).get(name);
            vector.set(i, value == null ? Long.MIN_VALUE : (Long) value);
            if (value == null) {
                vector.setNull(i);
            }
        }
        return vector;
    }

    private Float8Vector doubles(BufferAllocator allocator, String name) {
        Float8Vector vector = new Float8Vector(name, allocator);
        vector.allocateNew(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i).get(name);
            vector.set(i, value == null ? Double.NaN : (Double) value);
            if (value == null) {
                vector.setNull(i);
            }
        }
        return vector;
    }

    private BitVector booleans(BufferAllocator allocator, String name) {
        BitVector vector = new BitVector(name, allocator);
        vector.allocateNew(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i).get(name);
            vector.set(i, Boolean.FALSE.equals(value) ? 0 : 1);
            if (value == null) {
                vector.setNull(i);
            }
        }
        return vector;
    }
}
