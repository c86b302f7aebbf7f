package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ValueSpec;

import java.io.Serializable;
import java.util.List;

/**
 * What is aggregated, and by what it is grouped: rows of the same key and the same slice are a group.
 *
 * <pre>
 *   column 0      key: Int32 or VarBinary, see {@link KeyKind}
 *   column 1      slice: Int64, any number; in a windowed stream the start of a slice of time
 *   column 2 + i  value i: Int64, or Float64 where its type is floating; with nulls
 * </pre>
 *
 * @param values at least one
 */
public record AggregatePlan(KeyKind key, List<ValueSpec> values) implements Serializable {

    private static final long serialVersionUID = 1L;

    public static final int KEY_COLUMN = 0;
    public static final int SLICE_COLUMN = 1;
    public static final int FIRST_VALUE_COLUMN = 2;

    public AggregatePlan {
        values = List.copyOf(values);
    }
}
