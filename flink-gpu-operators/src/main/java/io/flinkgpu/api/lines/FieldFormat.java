package io.flinkgpu.api.lines;

import org.apache.flink.annotation.PublicEvolving;

/**
 * How the bytes of a field are read. What comes of it, the type of a column, is {@link Field#type}: two
 * formats can give one type. {@link Delimited} says which bytes are accepted.
 */
@PublicEvolving
public enum FieldFormat {
    /** UTF-8 text. */
    STRING,
    /** An integer in the range of an int. */
    INT,
    /** An integer in the range of a long. */
    LONG,
    /** At most 18 digits, with a scale of its own. */
    DECIMAL,
    /** A decimal number, read as the nearest double. */
    DOUBLE,
    /** Milliseconds since 1970 as digits. */
    EPOCH_MILLIS,
    /** A date and a time as ISO 8601 writes them. */
    ISO_TIMESTAMP,
    /** Not read. */
    SKIPPED
}
