package io.flinkgpu.api.expression;

/** What a column, or the result of an expression, holds. All can be null. */
public enum ColumnType {
    /** UTF-8 bytes; {@code String} in a record. */
    TEXT,
    /** 64-bit integers; {@code Long}. */
    LONG,
    /** {@code Double}. */
    DOUBLE,
    /** {@code Boolean}. */
    BOOLEAN
}
