package io.flinkgpu.rules;

/** A rule set at work, whatever runs it. */
@FunctionalInterface
public interface Redactor {

    /** The redacted row; the row is not changed. */
    byte[] redact(byte[] row);
}
