package io.flinkgpu.sql.planner;

/** Why an expression stays Flink's. */
final class UnsupportedException extends Exception {

    private static final long serialVersionUID = 1L;

    UnsupportedException(String reason) {
        super(reason, null, false, false);
    }
}
