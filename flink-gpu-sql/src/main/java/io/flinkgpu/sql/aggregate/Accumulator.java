package io.flinkgpu.sql.aggregate;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * A field of what Flink accumulates of a group.
 *
 * @param kind what it is
 * @param column which of the aggregated columns it is of; of a {@link Kind#SLICE} any number
 * @param bytes of the field: 1, 2, 4 or 8, or {@link #DECIMAL_BYTES} of a {@code DECIMAL} of more digits than a
 *     {@code long} has
 */
@Internal
public record Accumulator(Kind kind, int column, int bytes) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What a {@code DECIMAL} takes that no {@code long} holds. */
    public static final int DECIMAL_BYTES = 16;

    /** What a field is. */
    @Internal
    public enum Kind {
        /** How many values there are. */
        COUNT,
        /** Their sum, null if there are none. An integer that does not fit wraps as Flink's. */
        SUM,
        /** Their sum, 0 if there are none. */
        SUM_OR_ZERO,
        /** The least, null if there are none. */
        MIN,
        /** The greatest, likewise. */
        MAX,
        /** The end of the window's slice. */
        SLICE
    }
}
