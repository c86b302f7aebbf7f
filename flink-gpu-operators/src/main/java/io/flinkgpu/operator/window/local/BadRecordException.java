package io.flinkgpu.operator.window.local;

/** A record cannot be aggregated. The message names the field, the value and the key. */
final class BadRecordException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Without a stack trace: there may be one for each record. */
    BadRecordException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
