package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

import java.util.Arrays;

/** Makes batches of one text column from buffers that are already filled. */
@Internal
public final class TextColumns {

    private TextColumns() {}

    /** A batch of no rows, the caller's to close. */
    public static ColumnBatch empty(BufferAllocator allocator) {
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES)) {
            offsets.setZero(0, Integer.BYTES);
            return of(allocator, 0, offsets, allocator.getEmpty(), 0);
        }
    }

    /**
     * A batch without nulls, named {@link BatchBuilder#TEXT}. It takes references of its own to the
     * buffers; the caller still closes its ones.
     *
     * @param allocator the one the buffers came from
     * @param rows how many rows
     * @param offsets {@code rows + 1} int32 offsets into data, the first 0
     * @param data the text, with the separators
     * @param separatorBytes 1 if a {@code '\n'} follows each row, else 0
     */
    public static ColumnBatch of(
            BufferAllocator allocator,
            int rows,
            ArrowBuf offsets,
            ArrowBuf data,
            int separatorBytes) {
        VarCharVector vector = new VarCharVector(BatchBuilder.TEXT, allocator);
        // No validity buffer: Arrow makes one that says that every row has a value.
        vector.loadFieldBuffers(new ArrowFieldNode(rows, 0), Arrays.asList(null, offsets, data));
        return new ColumnBatch(VectorSchemaRoot.of(vector), separatorBytes);
    }
}
