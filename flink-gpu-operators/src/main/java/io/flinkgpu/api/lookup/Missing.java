package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Arrays;

/**
 * What an id gives that its table does not have: a vector like any other, which weights apply to and means
 * count, or none. Immutable.
 */
@PublicEvolving
public final class Missing implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final Missing SKIP = new Missing(null, 0);

    private static final int[] NO_VECTOR = {};

    /**
     * Bits, as Java's serialization makes one NaN of all where it writes floats. Null if ids are skipped; empty if
     * all elements are the same.
     */
    private final int[] vector;

    private final int constant;

    private Missing(int[] vector, int constant) {
        this.vector = vector;
        this.constant = constant;
    }

    /** Zeros. */
    public static Missing zeros() {
        return constant(0);
    }

    /** One number as all elements. */
    public static Missing constant(float value) {
        return new Missing(NO_VECTOR, Float.floatToRawIntBits(value));
    }

    /**
     * A vector.
     *
     * @param values as many as the table's dimension; copied
     */
    public static Missing vector(float... values) {
        Errors.present("values", values);
        if (values.length == 0) {
            throw new BadVectorException(
                    "what a missing id gives has an element: elements=0; use skip() for nothing");
        }
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return new Missing(bits, 0);
    }

    /** Nothing: as if the id were not in the bag. */
    public static Missing skip() {
        return SKIP;
    }

    /** Whether an id that is not there gives nothing. */
    public boolean isSkip() {
        return vector == null;
    }

    /** Whether it is right for a table of this dimension. */
    boolean fits(int dimension) {
        return isSkip() || vector.length == 0 || vector.length == dimension;
    }

    /** The elements, a new array; null if ids are skipped. */
    public float[] values(int dimension) {
        if (isSkip()) {
            return null;
        }
        float[] values = new float[vector.length > 0 ? vector.length : dimension];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat(vector.length > 0 ? vector[i] : constant);
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Missing that
                && Arrays.equals(vector, that.vector)
                && constant == that.constant;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(vector) + constant;
    }

    /** For a person to read. */
    @Override
    public String toString() {
        if (isSkip()) {
            return "skip";
        }
        if (vector.length > 0) {
            return "a vector";
        }
        return constant == 0 ? "zeros" : "constant " + Float.intBitsToFloat(constant);
    }
}
