package io.flinkgpu.api.lines;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * A field of a line.
 *
 * @param name empty where it is skipped
 * @param format how it is read
 * @param type what it is then; null where it is skipped
 */
@PublicEvolving
public record Field(String name, FieldFormat format, ColumnType type) implements Serializable {

    private static final long serialVersionUID = 1L;

    public Field {
        Errors.present("name", name);
        Errors.present("format", format);
    }

    /** Whether its values are numbers; those of a timestamp are milliseconds. */
    public boolean isNumber() {
        return valueType() != null;
    }

    /** The type of its values as numbers: a timestamp's are LONG; null of others. */
    public ColumnType valueType() {
        if (isTimestamp()) {
            return ColumnType.LONG;
        }
        return type != null && type.isNumber() ? type : null;
    }

    /** Whether it can be the time of an event. */
    public boolean isTimestamp() {
        return type == ColumnType.TIMESTAMP;
    }
}
