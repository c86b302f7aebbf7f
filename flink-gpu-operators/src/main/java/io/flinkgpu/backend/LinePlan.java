package io.flinkgpu.backend;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;

import java.io.Serializable;
import java.util.List;

/**
 * Lines that are parsed and at once aggregated: what is read of a line, by what lines are grouped, and
 * what is kept of each group.
 *
 * <p>A batch has one column of byte strings, of which each row is whole lines: all end with {@code '\n'}
 * but the last of a row, which may lack it. A row may be empty.
 *
 * @param key the field that lines are grouped by; a string
 * @param time what cuts groups into slices; null for one slice, {@link TimeSlices#NONE}
 * @param valueFields the numbers' fields
 * @param values what is computed of each of them; at least one
 */
public record LinePlan(
        Delimited format,
        int key,
        TimeSlices time,
        List<Integer> valueFields,
        List<ValueSpec> values)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The column of a batch. */
    public static final int LINES_COLUMN = 0;

    public LinePlan {
        valueFields = List.copyOf(valueFields);
        values = List.copyOf(values);
    }

    /** What a group keeps. */
    public AggregatePlan aggregates() {
        return new AggregatePlan(KeyKind.BYTES, values);
    }
}
