package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.Objects;

/** Ids to be looked up in one table, and what becomes of their vectors. Immutable. */
@PublicEvolving
public final class Bag {

    private final String table;
    private final Combiner combiner;
    private final long[] ids;
    private final float[] weights;

    private Bag(String table, Combiner combiner, long[] ids, float[] weights) {
        this.table = table;
        this.combiner = combiner;
        this.ids = ids;
        this.weights = weights;
    }

    /**
     * A bag without weights: the vectors are left as they are.
     *
     * @param ids in any order, as often as they count, or none; copied
     */
    public static Bag of(String table, Combiner combiner, long... ids) {
        return new Bag(
                Objects.requireNonNull(table, "table"),
                Objects.requireNonNull(combiner, "combiner"),
                ids.clone(),
                null);
    }

    /**
     * The same bag with a weight for each id: the elements of its vector are multiplied by it before they are
     * combined. A NaN is a weight, and counted.
     *
     * @param newWeights copied
     * @throws IllegalArgumentException if they are not as many as the ids
     */
    public Bag withWeights(float... newWeights) {
        if (newWeights.length != ids.length) {
            throw new BadVectorException(
                    "a bag has as many weights as ids: table=%s, ids=%s, weights=%s; leave weights out"
                            + " where all are 1",
                    table, ids.length, newWeights.length);
        }
        return new Bag(table, combiner, ids, newWeights.clone());
    }

    /** The name of the table. */
    public String table() {
        return table;
    }

    /** What becomes of the vectors. */
    public Combiner combiner() {
        return combiner;
    }

    /** Not to be changed. */
    public long[] ids() {
        return ids;
    }

    /** Not to be changed; null if there are none. */
    public float[] weights() {
        return weights;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bag that
                && table.equals(that.table)
                && combiner == that.combiner
                && Arrays.equals(ids, that.ids)
                && Arrays.equals(weights, that.weights);
    }

    @Override
    public int hashCode() {
        return Objects.hash(table, combiner, Arrays.hashCode(ids), Arrays.hashCode(weights));
    }

    /** Shows no id. */
    @Override
    public String toString() {
        return "Bag{table=" + table + ", combiner=" + combiner + ", ids=" + ids.length + "}";
    }
}
