package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

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

import java.util.ArrayList;
import java.util.List;

/** Makes columns of buffers that are already filled, and batches of columns; none of it copies. */
public final class Vectors {

    private Vectors() {}

    /**
     * A column: VarChar, BigInt, Float8 or Bit. It takes references of its own to the buffers; the
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
        try {
            vector.loadFieldBuffers(new ArrowFieldNode(rows, nulls), buffers);
        } catch (RuntimeException e) {
            vector.close();
            throw e;
        }
        return vector;
    }

    /** A column with the same buffers, which is closed on its own. */
    public static FieldVector share(FieldVector vector) {
        FieldVector shared = vector.getField().createVector(vector.getAllocator());
        try {
            shared.loadFieldBuffers(
                    new ArrowFieldNode(vector.getValueCount(), vector.getNullCount()),
                    vector.getFieldBuffers());
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
