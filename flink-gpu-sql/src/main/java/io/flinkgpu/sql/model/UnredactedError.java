package io.flinkgpu.sql.model;

/**
 * A row could not be redacted, which fails the job. No exception, as {@code PredictFunction} writes the row
 * into the message of those.
 */
final class UnredactedError extends Error {

    private static final long serialVersionUID = 1L;

    UnredactedError(Throwable cause) {
        super(
                "a row could not be redacted: " + cause.getClass().getName() + "; it did not leave",
                cause);
    }
}
