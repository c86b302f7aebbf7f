package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

import java.util.Arrays;
import java.util.List;

/** The columns of what was looked up, or of scores. */
@Internal
public final class LookupColumns {

    private LookupColumns() {}

    /**
     * Columns of buffers, which stay the caller's.
     *
     * @param values offsets of the rows' values, then those
     * @param ends offsets of the rows' bags, then where the values of each end
     */
    public static ColumnBatch of(
            BufferAllocator allocator,
            int rows,
            List<ArrowBuf> values,
            int valueCount,
            List<ArrowBuf> ends,
            int bagCount) {
        FieldVector first =
                lists(allocator, EmbeddingPlan.NUMBERS, "values", rows, values, valueCount);
        try {
            FieldVector second =
                    lists(allocator, EmbeddingPlan.PLACES, "ends", rows, ends, bagCount);
            return Vectors.batch(List.of(first, second), rows, 0);
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    private static FieldVector lists(
            BufferAllocator allocator,
            ColumnType type,
            String name,
            int rows,
            List<ArrowBuf> buffers,
            int count) {
        try (FieldVector elements =
                Vectors.of(
                        type.element(),
                        Vectors.ELEMENT,
                        allocator,
                        count,
                        0,
                        Arrays.asList(null, buffers.get(1)))) {
            return Vectors.of(
                    type, name, allocator, rows, 0, Arrays.asList(null, buffers.get(0)), elements);
        }
    }
}
