package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.TransformedBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.complex.ListVector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What was found for the requests of a batch, until the batch is closed. One thread only. */
@Internal
public final class FoundValues {

    /** For more a buffer of Java's is made, which copies them at once but takes longer to make than these to copy. */
    private static final int MOST_ONE_BY_ONE = 64;

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
        int firstValue = values.getElementStartIndex(row);
        float[] floats = new float[values.getElementEndIndex(row) - firstValue];
        if (floats.length > MOST_ONE_BY_ONE) {
            bytes(values, firstValue, floats.length * Float.BYTES).asFloatBuffer().get(floats);
        } else {
            long address = address(values, firstValue);
            for (int i = 0; i < floats.length; i++) {
                floats[i] = Float.intBitsToFloat(MemoryUtil.getInt(address + Float.BYTES * i));
            }
        }
        int firstEnd = ends.getElementStartIndex(row);
        int[] ints = new int[ends.getElementEndIndex(row) - firstEnd];
        if (ints.length > MOST_ONE_BY_ONE) {
            bytes(ends, firstEnd, ints.length * Integer.BYTES).asIntBuffer().get(ints);
        } else {
            long address = address(ends, firstEnd);
            for (int i = 0; i < ints.length; i++) {
                ints[i] = MemoryUtil.getInt(address + Integer.BYTES * i);
            }
        }
        return new LookupValues(floats, ints);
    }

    private static long address(ListVector lists, int element) {
        return lists.getDataVector().getDataBuffer().memoryAddress()
                + (long) Integer.BYTES * element;
    }

    private static ByteBuffer bytes(ListVector lists, int element, int bytes) {
        return lists.getDataVector()
                .getDataBuffer()
                .nioBuffer((long) Integer.BYTES * element, bytes)
                .order(ByteOrder.nativeOrder());
    }
}
