package io.flinkgpu.sql.aggregate;

import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * What is kept of the groups of an aggregation, and what of it is sent on: the key's fields, then
 * accumulators. A {@code DOUBLE} is summed without rounding, and rounded once when it is sent.
 *
 * @param keys how many fields a key has, at most {@link #MAX_KEYS}
 * @param references a bit for each field of the key that is not in the fixed part of a binary row
 * @param columns at most {@link #MAX_COLUMNS}
 * @param accumulators in the order in which they are sent
 */
@Internal
public record LocalAggregation(
        int keys, long references, List<AggregatedColumn> columns, List<Accumulator> accumulators)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** So many columns can be aggregated. */
    public static final int MAX_COLUMNS = Long.SIZE;

    /** So many fields a key can have: the slice's number is in bits of a row that these leave free. */
    public static final int MAX_KEYS = 40;

    /**
     * @throws IllegalArgumentException if there are too many fields or columns
     */
    public LocalAggregation {
        columns = List.copyOf(columns);
        accumulators = List.copyOf(accumulators);
        if (keys > MAX_KEYS || columns.size() > MAX_COLUMNS) {
            throw new IllegalArgumentException(
                    "too many fields or columns: keys=%d, columns=%d; at most %d and %d"
                            .formatted(keys, columns.size(), MAX_KEYS, MAX_COLUMNS));
        }
    }

    /** The accumulators alone. */
    LocalAggregation withoutKeys() {
        return new LocalAggregation(0, 0, columns, accumulators);
    }

    List<ValueSpec> specs() {
        return columns.stream().map(AggregatedColumn::spec).toList();
    }
}
