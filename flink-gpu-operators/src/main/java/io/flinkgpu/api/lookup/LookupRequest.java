package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.List;

/** What is asked of tables at a time: bags in order, and numbers that go with them. Immutable. */
@PublicEvolving
public final class LookupRequest {

    private static final float[] NO_NUMBERS = {};

    private final List<Bag> bags;
    private final float[] dense;

    private LookupRequest(List<Bag> bags, float[] dense) {
        this.bags = bags;
        this.dense = dense;
    }

    /** A request for bags, or none, without numbers. */
    public static LookupRequest of(Bag... bags) {
        Errors.present("bags", bags);
        return new LookupRequest(List.of(bags), NO_NUMBERS);
    }

    /** The same for a list of bags, which is copied. */
    public static LookupRequest of(List<Bag> bags) {
        Errors.present("bags", bags);
        return new LookupRequest(List.copyOf(bags), NO_NUMBERS);
    }

    /**
     * The same request with numbers that a model reads beside what is looked up.
     *
     * @param numbers copied
     */
    public LookupRequest withDense(float... numbers) {
        Errors.present("numbers", numbers);
        return new LookupRequest(bags, numbers.clone());
    }

    /** In the order of their results. Cannot be changed. */
    public List<Bag> bags() {
        return bags;
    }

    /** Not to be changed. */
    public float[] dense() {
        return dense;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LookupRequest that
                && bags.equals(that.bags)
                && Arrays.equals(dense, that.dense);
    }

    @Override
    public int hashCode() {
        return 31 * bags.hashCode() + Arrays.hashCode(dense);
    }

    /** Shows no id and no number. */
    @Override
    public String toString() {
        return "LookupRequest{bags=" + bags + ", dense=" + dense.length + "}";
    }
}
