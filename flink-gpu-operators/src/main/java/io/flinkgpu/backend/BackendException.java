package io.flinkgpu.backend;

import org.apache.flink.annotation.Internal;

/** A backend could not do its work. Not recoverable unless a subclass says so: the task fails. */
@Internal
public class BackendException extends Exception {

    private static final long serialVersionUID = 1L;

    public BackendException(String message) {
        super(message);
    }

    public BackendException(String message, Throwable cause) {
        super(message, cause);
    }
}
