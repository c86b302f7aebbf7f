package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;

import java.io.IOException;

/**
 * Exceptions of one text with its values in it, as of {@link String#format}: the rule that was broken,
 * {@code name=value} for each fact, and the remedy.
 */
@Internal
public final class Errors {

    private Errors() {}

    /** A mistake of the caller's. */
    public static IllegalArgumentException argument(String format, Object... values) {
        return new IllegalArgumentException(format.formatted(values));
    }

    /** An argument that must not be null. */
    public static <X> X present(String name, X value) {
        if (value == null) {
            throw argument("an argument must not be null: %s=null; give one", name);
        }
        return value;
    }

    /** Something that is not as it has to be. */
    public static IllegalStateException state(String format, Object... values) {
        return new IllegalStateException(format.formatted(values));
    }

    /** A file that is not as it has to be. */
    public static IOException io(String format, Object... values) {
        return new IOException(format.formatted(values));
    }
}
