package io.flinkgpu.examples;

/** What went wrong, for people. */
final class Causes {

    private Causes() {}

    /** The innermost cause in one line: its message, or its type where it has none. */
    static String oneLine(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        if (message == null || message.isBlank()) {
            return cause.getClass().getName();
        }
        return message.strip().lines().findFirst().orElseThrow();
    }
}
