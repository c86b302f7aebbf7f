package io.flinkgpu.api.lines;

import io.flinkgpu.api.ValueType;

import java.io.Serializable;
import java.util.Objects;

/**
 * A field of a line.
 *
 * @param name empty where it is skipped
 * @param valueType of a number; null of others
 */
public record Field(String name, FieldType type, ValueType valueType) implements Serializable {

    private static final long serialVersionUID = 1L;

    public Field {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
    }

    /** Whether it can be aggregated. */
    public boolean isNumber() {
        return valueType != null;
    }

    /** Whether it can be the time of an event. */
    public boolean isTimestamp() {
        return type == FieldType.EPOCH_MILLIS || type == FieldType.ISO_TIMESTAMP;
    }
}
