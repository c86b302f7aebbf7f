package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Columns of values and back: {@link ByteText}, Long, Double or Boolean, or null. */
public final class TestColumns {

    private TestColumns() {}

    public static ColumnBatch batch(
            BufferAllocator allocator,
            int separatorBytes,
            List<ColumnType> types,
            List<? extends List<?>> columns) {
        int rows = columns.isEmpty() ? 0 : columns.get(0).size();
        List<FieldVector> vectors = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            vectors.add(vector(allocator, separatorBytes, types.get(i), columns.get(i)));
        }
        return Vectors.batch(vectors, rows, separatorBytes);
    }

    private static FieldVector vector(
            BufferAllocator allocator, int separatorBytes, ColumnType type, List<?> values) {
        switch (type.kind()) {
            case TEXT:
                return texts(allocator, separatorBytes, values);
            case LONG:
                BigIntVector longs = new BigIntVector("", allocator);
                longs.allocateNew(values.size());
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) == null) {
                        longs.setNull(i);
                    } else {
                        longs.set(i, (Long) values.get(i));
                    }
                }
                longs.setValueCount(values.size());
                return longs;
            case DOUBLE:
                Float8Vector doubles = new Float8Vector("", allocator);
                doubles.allocateNew(values.size());
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) == null) {
                        doubles.setNull(i);
                    } else {
                        doubles.set(i, (Double) values.get(i));
                    }
                }
                doubles.setValueCount(values.size());
                return doubles;
            default:
                BitVector bits = new BitVector("", allocator);
                bits.allocateNew(values.size());
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) == null) {
                        bits.setNull(i);
                    } else {
                        bits.set(i, (Boolean) values.get(i) ? 1 : 0);
                    }
                }
                bits.setValueCount(values.size());
                return bits;
        }
    }

    private static FieldVector texts(
            BufferAllocator allocator, int separatorBytes, List<?> values) {
        VarCharVector texts = new VarCharVector("", allocator);
        String separator = "\n".repeat(separatorBytes);
        long bytes = 0;
        for (Object value : values) {
            bytes += (value == null ? 0 : ((String) value).length()) + separatorBytes;
        }
        texts.allocateNew(bytes, values.size());
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            texts.set(i, ByteText.bytes((value == null ? "" : value) + separator));
            if (value == null) {
                // Keeps the separator, which a vector's own null would drop.
                BitVectorHelper.unsetBit(texts.getValidityBuffer(), i);
            }
        }
        texts.setValueCount(values.size());
        return texts;
    }

    public static List<Object> values(ColumnBatch batch, int column) {
        FieldVector vector = batch.vector(column);
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            if (vector instanceof VarCharVector) {
                String text =
                        new String(batch.text(column).copyRow(row), StandardCharsets.ISO_8859_1);
                if (vector.isNull(row) && !text.isEmpty()) {
                    throw new AssertionError("a null row has bytes: row=" + row);
                }
                values.add(vector.isNull(row) ? null : text);
            } else {
                values.add(vector.getObject(row));
            }
        }
        return values;
    }
}
