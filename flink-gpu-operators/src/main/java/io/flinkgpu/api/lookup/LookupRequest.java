package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What is asked of tables at a time, and numbers that go with it: bags in order, or ids by the places of the job's
 * features, which takes less time to make and to read. Immutable.
 */
@PublicEvolving
public final class LookupRequest {

    private static final float[] NO_NUMBERS = {};

    private final List<Bag> bags;
    private final long[] ids;
    private final int[] ends;
    private final float[] dense;

    private LookupRequest(List<Bag> bags, long[] ids, int[] ends, float[] dense) {
        this.bags = bags;
        this.ids = ids;
        this.ends = ends;
        this.dense = dense;
    }

    /** A request for bags, or none, without numbers. */
    public static LookupRequest of(Bag... bags) {
        Errors.present("bags", bags);
        return new LookupRequest(List.of(bags), null, null, NO_NUMBERS);
    }

    /** The same for a list of bags, which is copied. */
    public static LookupRequest of(List<Bag> bags) {
        Errors.present("bags", bags);
        return new LookupRequest(List.copyOf(bags), null, null, NO_NUMBERS);
    }

    /**
     * A request by place: an id for each feature of the job's {@link Scoring}, in their order; without a model for each
     * of its tables, as a bag that is summed up.
     *
     * @param ids as many as there are features; neither copied nor to be changed, like the numbers
     * @param numbers that a model reads beside what is looked up, or none
     */
    public static LookupRequest ofIds(long[] ids, float... numbers) {
        Errors.present("ids", ids);
        Errors.present("numbers", numbers);
        return new LookupRequest(List.of(), ids, null, numbers);
    }

    /**
     * The same with any number of ids for each feature.
     *
     * @param ids of all features, one after another
     * @param ends where the ids of each feature end, as many as there are features; not copied either
     * @param numbers that a model reads beside what is looked up, or none
     * @throws IllegalArgumentException if an end is before the one before it, or the last is not the number of ids
     */
    public static LookupRequest ofIds(long[] ids, int[] ends, float... numbers) {
        Errors.present("ids", ids);
        Errors.present("ends", ends);
        Errors.present("numbers", numbers);
        int before = 0;
        for (int end : ends) {
            if (end < before) {
                throw endsNot(ids, ends);
            }
            before = end;
        }
        if (before != ids.length) {
            throw endsNot(ids, ends);
        }
        return new LookupRequest(List.of(), ids, ends, numbers);
    }

    private static BadVectorException endsNot(long[] ids, int[] ends) {
        return new BadVectorException(
                "the ids of a feature end where those of the next begin, the last at the number of ids:"
                        + " ids=%s, features=%s; give as many ends as there are features",
                ids.length, ends.length);
    }

    /**
     * The same request with numbers that a model reads beside what is looked up.
     *
     * @param numbers copied
     */
    public LookupRequest withDense(float... numbers) {
        Errors.present("numbers", numbers);
        return new LookupRequest(bags, ids, ends, numbers.clone());
    }

    /** In the order of their results; none of a request by place. Cannot be changed. */
    public List<Bag> bags() {
        return bags;
    }

    /** The ids of a request by place, not to be changed; null of one with bags. */
    public long[] ids() {
        return ids;
    }

    /** Where those of each feature end, not to be changed; null if each has one, or the request has bags. */
    public int[] ends() {
        return ends;
    }

    /** How many features, or bags, it has. */
    public int features() {
        if (ids == null) {
            return bags.size();
        }
        return ends == null ? ids.length : ends.length;
    }

    /** Not to be changed. */
    public float[] dense() {
        return dense;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LookupRequest that
                && bags.equals(that.bags)
                && Arrays.equals(ids, that.ids)
                && Arrays.equals(ends, that.ends)
                && Arrays.equals(dense, that.dense);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                bags, Arrays.hashCode(ids), Arrays.hashCode(ends), Arrays.hashCode(dense));
    }

    /** Shows no id and no number. */
    @Override
    public String toString() {
        String of = ids == null ? "bags=" + bags : "features=" + features();
        return "LookupRequest{" + of + ", dense=" + dense.length + "}";
    }
}
