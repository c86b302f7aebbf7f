package io.flinkgpu.api.dense;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.Arrays;

/** Numbers of a layer that are the same for all rows. Immutable. */
@Internal
public final class DenseVector implements Serializable {

    private static final long serialVersionUID = 1L;

    private final float[] values;

    /**
     * @param values copied
     */
    DenseVector(float[] values) {
        this.values = values.clone();
    }

    public int size() {
        return values.length;
    }

    public float get(int index) {
        return values[index];
    }

    /** A copy. */
    public float[] toArray() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DenseVector that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }
}
