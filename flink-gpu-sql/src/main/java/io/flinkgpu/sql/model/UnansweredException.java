package io.flinkgpu.sql.model;

/** A model has no answer for a row, which fails the job. Shows nothing of the row. */
final class UnansweredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnansweredException(Throwable cause) {
        super("a model has no answer for a row, which did not leave: " + cause.getMessage(), cause);
    }
}
