package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * The types of numbers under the names that they had before {@link ColumnType}.
 *
 * @deprecated name them as constants of {@link ColumnType}
 */
@Deprecated(since = "0.1")
@PublicEvolving
public final class ValueType {

    /** {@link ColumnType#INT}. */
    public static final ColumnType INT = ColumnType.INT;

    /** {@link ColumnType#LONG}. */
    public static final ColumnType LONG = ColumnType.LONG;

    /** {@link ColumnType#FLOAT}. */
    public static final ColumnType FLOAT = ColumnType.FLOAT;

    /** {@link ColumnType#DOUBLE}. */
    public static final ColumnType DOUBLE = ColumnType.DOUBLE;

    private ValueType() {}

    /** As {@link ColumnType#decimal}. */
    public static ColumnType decimal(int precision, int scale) {
        return ColumnType.decimal(precision, scale);
    }
}
