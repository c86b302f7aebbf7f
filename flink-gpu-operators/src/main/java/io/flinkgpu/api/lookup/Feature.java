package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Objects;

/**
 * What each request of a {@link Scoring} has at a place: a bag of this table, with this combiner. Immutable.
 *
 * @param table its name
 * @param combiner not {@link Combiner#NONE}, which gives as many numbers as there are ids
 */
@PublicEvolving
public record Feature(String table, Combiner combiner) implements Serializable {

    private static final long serialVersionUID = 1L;

    public Feature {
        Objects.requireNonNull(table, "table");
        if (combiner == Combiner.NONE) {
            throw new BadVectorException(
                    "a model reads as many numbers of each request: table=%s, combiner=NONE; use SUM,"
                            + " MEAN or MAX, which leave one vector as it is",
                    table);
        }
    }

    /** A feature of one id, or of several whose vectors are added up. */
    public static Feature of(String table) {
        return new Feature(table, Combiner.SUM);
    }

    /** A feature of ids whose vectors are combined so. */
    public static Feature of(String table, Combiner combiner) {
        return new Feature(table, combiner);
    }
}
