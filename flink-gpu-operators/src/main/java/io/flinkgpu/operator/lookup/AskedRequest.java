package io.flinkgpu.operator.lookup;

import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.column.RowValues;

import org.apache.flink.annotation.Internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** What a record asks for, as a batch needs it; that of the next record takes its place. One thread's. */
@Internal
public final class AskedRequest {

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** As bytes have it: bags, where their ids end, and the most that all of them give. */
    record Shape(byte[] bags, byte[] ends, long values) {}

    private Shape shape;
    private long[] ids;
    private int idCount;
    private int[] ends;
    private float[] weights;
    private float[] dense;

    AskedRequest() {}

    /**
     * @param ids of all bags; like all arrays not copied
     * @param ends of the bags' ids; null if they are the shape's
     * @param weights as many as ids; null if all are 1
     */
    AskedRequest set(
            Shape newShape, long[] ids, int idCount, int[] ends, float[] weights, float[] dense) {
        shape = newShape;
        this.ids = ids;
        this.idCount = idCount;
        this.ends = ends;
        this.weights = weights;
        this.dense = dense;
        return this;
    }

    /** The most that all bags give. */
    long values() {
        return shape.values;
    }

    /** Fills the columns of a batch. */
    void put(RowValues row) {
        row.putNumbers(EmbeddingPlan.IDS_COLUMN, ids, idCount);
        row.putNumbers(EmbeddingPlan.BAGS_COLUMN, shape.bags);
        if (ends == null) {
            row.putNumbers(EmbeddingPlan.BAG_ENDS_COLUMN, shape.ends);
        } else {
            row.putNumbers(EmbeddingPlan.BAG_ENDS_COLUMN, ends, ends.length);
        }
        if (weights == null) {
            row.putNull(EmbeddingPlan.WEIGHTS_COLUMN);
        } else {
            row.putNumbers(EmbeddingPlan.WEIGHTS_COLUMN, weights, idCount);
        }
        row.putNumbers(EmbeddingPlan.DENSE_COLUMN, dense, dense.length);
    }

    /** The same to be kept. */
    <Q> TableRequest<Q> of(Q record) {
        byte[] idBytes = new byte[Math.multiplyExact(Long.BYTES, idCount)];
        for (int i = 0; i < idCount; i++) {
            LONGS.set(idBytes, Long.BYTES * i, ids[i]);
        }
        return new TableRequest<>(
                record,
                idBytes,
                shape.bags,
                ends == null ? shape.ends : bytes(ends),
                weights == null ? null : bytes(weights, idCount),
                bytes(dense, dense.length),
                shape.values);
    }

    /** Of numbers, little-endian. */
    static byte[] bytes(int[] numbers) {
        byte[] bytes = new byte[Math.multiplyExact(Integer.BYTES, numbers.length)];
        for (int i = 0; i < numbers.length; i++) {
            INTS.set(bytes, Integer.BYTES * i, numbers[i]);
        }
        return bytes;
    }

    private static byte[] bytes(float[] numbers, int count) {
        byte[] bytes = new byte[Math.multiplyExact(Float.BYTES, count)];
        for (int i = 0; i < count; i++) {
            INTS.set(bytes, Float.BYTES * i, Float.floatToRawIntBits(numbers[i]));
        }
        return bytes;
    }
}
