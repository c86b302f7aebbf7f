package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * An aggregate that keeps more of a column than a number, and perhaps what other columns of the same rows
 * hold. Rows in which the column is null are skipped; of no others the result is null. Where rows are
 * alike in what orders them, the one with the least result comes first, a null last: so neither depends
 * on the order in which rows come. Immutable.
 *
 * <p>Numbers have the order of {@link Aggregate#MIN}, texts that of their code points, which is that of
 * their bytes in UTF-8.
 *
 * @param name of the result; empty if it is named by the column and the kind
 * @param other the type of the other column; null if there is none
 * @param limit of {@link Kind#TOP} the most rows, of the distinct counts the binary logarithm of
 *     the number of registers, of a quantile its millionths; else 0
 */
@PublicEvolving
public record CellAggregate(Kind kind, String name, ColumnType other, int limit)
        implements ColumnAggregate {

    private static final long serialVersionUID = 1L;

    /** The most rows that one asks for. */
    static final int MAX_LIMIT = 1000;

    /** The binary logarithm of a distinct count's registers where none is given, and the limits of it. */
    static final int DEFAULT_LG_K = 12;

    static final int LEAST_LG_K = 4;
    static final int GREATEST_LG_K = 21;

    /** What a quantile is counted in. */
    static final int QUANTILE_UNITS = 1_000_000;

    /** What is computed. State has the names. */
    public enum Kind {
        /** The least text. */
        MIN,
        /** The greatest text. */
        MAX,
        /** The value of the row with the least timestamp. */
        FIRST,
        /** The value of the row with the greatest timestamp. */
        LAST,
        /** The other column, in the row where this one is least. */
        ARG_MIN,
        /** The other column, in the row where this one is greatest. */
        ARG_MAX,
        /** A list of the other column, in the rows where this one is greatest, these first. */
        TOP,
        /** About how many different values there are. */
        APPROX_DISTINCT,
        /** What that is made of, as Apache DataSketches reads it. */
        DISTINCT_SKETCH,
        /** About the value that a part of the values does not exceed. */
        APPROX_QUANTILE
    }

    public CellAggregate {
        Errors.present("kind", kind);
        Errors.present("name", name);
    }

    /** Whether rows are ordered by their timestamps. */
    public boolean isByTime() {
        return kind == Kind.FIRST || kind == Kind.LAST;
    }

    /** Of {@link Kind#APPROX_QUANTILE}, 0 to 1. */
    public double quantile() {
        return (double) limit / QUANTILE_UNITS;
    }

    /** The type of the result for a column of a type. */
    public ColumnType resultType(ColumnType column) {
        return switch (kind) {
            case MIN, MAX, FIRST, LAST -> column;
            case ARG_MIN, ARG_MAX -> other;
            case TOP -> ColumnType.list(other);
            case APPROX_DISTINCT -> ColumnType.LONG;
            case DISTINCT_SKETCH -> ColumnType.BYTES;
            case APPROX_QUANTILE -> ColumnType.DOUBLE;
        };
    }

    /** The same of another column of another type. */
    CellAggregate withOther(ColumnType type) {
        return new CellAggregate(kind, name, type, limit);
    }

    /**
     * What of this a group's cell depends on: not the name, nor the digits that a decimal may have before
     * its point.
     */
    public CellAggregate kept() {
        ColumnType kept =
                other != null && other.kind() == ColumnType.Kind.DECIMAL
                        ? ColumnType.decimal(ColumnType.MAX_PRECISION, other.scale())
                        : other;
        return new CellAggregate(kind, "", kept, limit);
    }
}
