package io.flinkgpu.applications;

import org.apache.flink.util.SerializedThrowable;

import org.apache.arrow.memory.OutOfMemoryException;

import java.nio.file.FileSystemException;

/** What went wrong, for people. */
public final class Causes {

    private Causes() {}

    /**
     * The innermost cause in one line: its message, its type where it has none, both for a file. Of memory for
     * columns that there is not, what was tried and the remedy.
     */
    public static String oneLine(Throwable error) {
        Throwable cause = innermost(error);
        String message = cause.getMessage();
        if (message != null && cause instanceof SerializedThrowable sent) {
            // One that cannot be sent has the name of its class before its message.
            String type = sent.getOriginalErrorClassName() + ": ";
            message = message.startsWith(type) ? message.substring(type.length()) : message;
        }
        if (message == null || message.isBlank()) {
            return cause.getClass().getName();
        }
        String line = message.strip().lines().findFirst().orElseThrow();
        // Its message is just the file's name.
        return cause instanceof FileSystemException file && file.getReason() == null
                ? cause.getClass().getSimpleName() + ": " + line
                : line;
    }

    static Throwable innermost(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null
                && cause.getCause() != cause
                && !isNoMemory(cause.getCause())) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isNoMemory(Throwable cause) {
        return cause instanceof OutOfMemoryException
                || cause instanceof SerializedThrowable sent
                        && OutOfMemoryException.class
                                .getName()
                                .equals(sent.getOriginalErrorClassName());
    }
}
