package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;

/** What was found for a request: the values of its bags, one after another. Immutable. */
@PublicEvolving
public final class LookupValues {

    private final float[] values;
    private final int[] ends;

    /**
     * @param values of all bags; this and the next are the object's from here on
     * @param ends where the values of each bag end
     */
    public LookupValues(float[] values, int[] ends) {
        this.values = values;
        this.ends = ends;
    }

    /** How many bags there are. */
    public int bags() {
        return ends.length;
    }

    /** Of all bags. Not to be changed. */
    public float[] values() {
        return values;
    }

    /** Where the values of a bag start. */
    public int start(int bag) {
        return bag == 0 ? 0 : ends[bag - 1];
    }

    /** Where the values of a bag end. */
    public int end(int bag) {
        return ends[bag];
    }

    /** The values of one bag, a new array. */
    public float[] bag(int bag) {
        return Arrays.copyOfRange(values, start(bag), end(bag));
    }

    /** Compares bit by bit, but all NaNs are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof LookupValues that
                && Arrays.equals(values, that.values)
                && Arrays.equals(ends, that.ends);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(values) + Arrays.hashCode(ends);
    }

    /** Shows no value. */
    @Override
    public String toString() {
        return "LookupValues{bags=" + ends.length + ", values=" + values.length + "}";
    }
}
