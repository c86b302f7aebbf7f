package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

/** A record's value cannot go into its column. The message names the column and why. */
@Internal
public final class BadValueException extends Exception {

    private static final long serialVersionUID = 1L;

    public BadValueException(String message) {
        super(message);
    }

    public BadValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
