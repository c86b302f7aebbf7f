package io.flinkgpu.sql.operator;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.types.logical.LogicalType;

import java.io.Serializable;
import java.util.Objects;

/**
 * A column that a program reads of a row.
 *
 * @param kept whether it is one that Flink's code computes, else one of the input
 * @param index of it among those
 * @param type of it
 * @param check what a text has to be
 */
@Internal
public record Argument(boolean kept, int index, LogicalType type, TextCheck check)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public Argument {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(check, "check");
    }

    /** The type of a program's column for values of a type of SQL; null if there is none. */
    public static ColumnType columnType(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case CHAR, VARCHAR -> ColumnType.TEXT;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> ColumnType.LONG;
            case DOUBLE -> ColumnType.DOUBLE;
            case BOOLEAN -> ColumnType.BOOLEAN;
            default -> null;
        };
    }
}
