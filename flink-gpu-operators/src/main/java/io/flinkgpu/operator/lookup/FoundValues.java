package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What was found for the requests of a batch, until the batch is closed. One thread only. */
@Internal
public final class FoundValues {

    private final ListVector values;
    private final ListVector ends;

    /**
     * @param batch the result of an {@link EmbeddingPlan} or of a plan that scores; stays the caller's
     */
    public FoundValues(TransformedBatch batch) {
        values = (ListVector) batch.columns().vector(EmbeddingPlan.VALUES_COLUMN);
        ends = (ListVector) batch.columns().vector(EmbeddingPlan.ENDS_COLUMN);
    }

    /** What was found for a row, as an object of the caller's. */
    public LookupValues at(int row) {
        float[] floats = new float[length(values, row)];
        if (floats.length > 0) {
            bytes(values, row, floats.length * Float.BYTES).asFloatBuffer().get(floats);
        }
        int[] ints = new int[length(ends, row)];
        if (ints.length > 0) {
            bytes(ends, row, ints.length * Integer.BYTES).asIntBuffer().get(ints);
        }
        return new LookupValues(floats, ints);
    }

    private static int length(ListVector lists, int row) {
        return lists.getElementEndIndex(row) - lists.getElementStartIndex(row);
    }

    private static ByteBuffer bytes(ListVector lists, int row, int bytes) {
        FieldVector elements = lists.getDataVector();
        return elements.getDataBuffer()
                .nioBuffer((long) Integer.BYTES * lists.getElementStartIndex(row), bytes)
                .order(ByteOrder.nativeOrder());
    }
}
