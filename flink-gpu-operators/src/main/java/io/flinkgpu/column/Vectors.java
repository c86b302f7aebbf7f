package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

import java.util.ArrayList;
import java.util.List;

/** Makes columns of buffers that are already filled, and batches of columns; none of it copies. */
@Internal
public final class Vectors {

    /** The name of the column of all elements of lists or vectors. */
    public static final String ELEMENT = "element";

    private Vectors() {}

    /**
     * A column, as {@link ColumnType} says, of no lists or vectors. It takes references of its own to the buffers; the
     * caller still closes its ones.
     *
     * @param allocator of the root that the buffers came from
     * @param buffers validity, then offsets where it is text, then data; validity is null where no row
     *     is, and what is in the other buffers for a null row means nothing
     */
    public static FieldVector of(
            ColumnType type,
            String name,
            BufferAllocator allocator,
            int rows,
            int nulls,
            List<ArrowBuf> buffers) {
        FieldVector vector =
                switch (type.kind()) {
                    case TEXT -> new VarCharVector(name, allocator);
                    case BYTES -> new VarBinaryVector(name, allocator);
                    case INT -> new IntVector(name, allocator);
                    case LONG, DECIMAL -> new BigIntVector(name, allocator);
                    case TIMESTAMP -> new TimeStampMilliVector(name, allocator);
                    case FLOAT -> new Float4Vector(name, allocator);
                    case DOUBLE -> new Float8Vector(name, allocator);
                    case BOOLEAN -> new BitVector(name, allocator);
                    case LIST, VECTOR -> throw type.refusedBy("a column of plain buffers");
                };
        return loaded(vector, rows, nulls, buffers);
    }

    /**
     * A column of lists or vectors, likewise.
     *
     * @param buffers validity, then offsets where it is lists
     * @param elements of all rows; stays the caller's
     */
    public static FieldVector of(
            ColumnType type,
            String name,
            BufferAllocator allocator,
            int rows,
            int nulls,
            List<ArrowBuf> buffers,
            FieldVector elements) {
        ArrowType lists =
                type.kind() == ColumnType.Kind.LIST
                        ? ArrowType.List.INSTANCE
                        : new ArrowType.FixedSizeList(type.length());
        Field field = new Field(name, FieldType.nullable(lists), List.of(elements.getField()));
        FieldVector vector = loaded(field.createVector(allocator), rows, nulls, buffers);
        try {
            shareChildren(List.of(elements), vector.getChildrenFromFields());
        } catch (RuntimeException e) {
            vector.close();
            throw e;
        }
        return vector;
    }

    private static FieldVector loaded(
            FieldVector vector, int rows, int nulls, List<ArrowBuf> buffers) {
        try {
            vector.loadFieldBuffers(new ArrowFieldNode(rows, nulls), buffers);
        } catch (RuntimeException e) {
            vector.close();
            throw e;
        }
        return vector;
    }

    private static void shareChildren(List<FieldVector> from, List<FieldVector> to) {
        for (int i = 0; i < from.size(); i++) {
            FieldVector child = from.get(i);
            to.get(i)
                    .loadFieldBuffers(
                            new ArrowFieldNode(child.getValueCount(), child.getNullCount()),
                            child.getFieldBuffers());
            shareChildren(child.getChildrenFromFields(), to.get(i).getChildrenFromFields());
        }
    }

    /** A column with the same buffers, which is closed on its own. */
    public static FieldVector share(FieldVector vector) {
        FieldVector shared = vector.getField().createVector(vector.getAllocator());
        try {
            shareChildren(List.of(vector), List.of(shared));
        } catch (RuntimeException e) {
            shared.close();
            throw e;
        }
        return shared;
    }

    /**
     * A batch of columns, which are its own from here on.
     *
     * @param rows how many, in each of the columns; there may be none of these
     */
    public static ColumnBatch batch(List<FieldVector> vectors, int rows, int separatorBytes) {
        List<FieldVector> columns = new ArrayList<>(vectors);
        return new ColumnBatch(
                new VectorSchemaRoot(
                        columns.stream().map(FieldVector::getField).toList(), columns, rows),
                separatorBytes);
    }

    /** Closes columns. */
    public static void close(Iterable<FieldVector> vectors) {
        vectors.forEach(FieldVector::close);
    }
}
