package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;

/**
 * Exceptions of one text with its values in it, as of {@link String#format}: the rule that was broken,
 * {@code name=value} for each fact, and the remedy.
 */
@PublicEvolving
public final class Errors {

    private Errors() {}

    public static IllegalArgumentException argument(String format, Object... values) {
        return new IllegalArgumentException(format.formatted(values));
    }

    public static IllegalStateException state(String format, Object... values) {
        return new IllegalStateException(format.formatted(values));
    }

    public static IOException io(String format, Object... values) {
        return new IOException(format.formatted(values));
    }
}
