package io.flinkgpu.backend;

/** A backend could not do its work. Not recoverable unless a subclass says so: the task fails. */
public class BackendException extends Exception {

    private static final long serialVersionUID = 1L;

    public BackendException(String message) {
        super(message);
    }

    public BackendException(String message, Throwable cause) {
        super(message, cause);
    }
}
