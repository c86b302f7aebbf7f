package io.flinkgpu.api.lines;

/** What the text of a field is read as. {@link Delimited} says which texts are accepted. */
public enum FieldType {
    /** UTF-8 text. */
    STRING,
    INT,
    LONG,
    /** At most 18 digits, with a scale of its own. */
    DECIMAL,
    DOUBLE,
    /** Milliseconds since 1970 as digits. */
    EPOCH_MILLIS,
    /** A date and a time as ISO 8601 writes them. */
    ISO_TIMESTAMP,
    /** Not read. */
    SKIPPED
}
