package io.flinkgpu.sql.aggregate;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.List;

/**
 * A column of the input whose values are aggregated, or all rows.
 *
 * @param column {@link #NONE} for rows, which are counted
 * @param kind how the values are read
 * @param precision of a decimal; of others any number
 * @param scale likewise
 * @param filter the column that says which rows are meant, or {@link #NONE} for all
 * @param aggregates what is kept of the values
 */
@Internal
public record AggregatedColumn(
        int column, Kind kind, int precision, int scale, int filter, List<Aggregate> aggregates)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** No column. */
    public static final int NONE = -1;

    public AggregatedColumn {
        aggregates = List.copyOf(aggregates);
    }

    /** How values are read. */
    @Internal
    public enum Kind {
        /** Not at all: they are only counted. */
        COUNTED,
        /** As a {@code TINYINT}. */
        BYTE,
        /** As a {@code SMALLINT}. */
        SHORT,
        /** As an {@code INT}, {@code DATE} or {@code TIME}. */
        INT,
        /** As a {@code BIGINT}. */
        LONG,
        /** As the unscaled number of a {@code DECIMAL} of 18 digits at most. */
        DECIMAL,
        /** As the milliseconds of a {@code TIMESTAMP} or {@code TIMESTAMP_LTZ} of 3 digits at most. */
        TIMESTAMP,
        /** As a {@code DOUBLE}. */
        DOUBLE
    }

    ValueSpec spec() {
        return new ValueSpec(
                "", kind == Kind.DOUBLE ? ColumnType.DOUBLE : ColumnType.LONG, aggregates);
    }
}
