package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What the elements of a table's vectors are. Each value is widened to a 32-bit float exactly, but for
 * {@link #INT8}. The ordinals are in files and savepoints.
 */
@PublicEvolving
public enum ElementType {

    /** IEEE 754 binary32. */
    F32(4),

    /** IEEE 754 binary16. */
    F16(2),

    /** The upper half of a binary32. */
    BF16(2),

    /**
     * Signed bytes, with a scale and a bias for each vector, both binary32: {@code (float) element * scale +
     * bias}, where the product is rounded, then the sum.
     */
    INT8(1);

    /** Of the scale and the bias before the bytes of an {@link #INT8} vector. */
    public static final int QUANTIZATION_BYTES = 2 * Float.BYTES;

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Of one element. */
    public int bytes() {
        return bytes;
    }

    /** Of a vector: its elements, little-endian; of {@link #INT8}, scale and bias come first. */
    public int vectorBytes(int dimension) {
        return dimension * bytes + (this == INT8 ? QUANTIZATION_BYTES : 0);
    }
}
