package io.flinkgpu.sql.planner;

/** Why an expression stays Flink's. */
final class UnsupportedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isNamed;

    /** A reason that does not say of which function; {@link #of} adds it. */
    UnsupportedException(String reason) {
        this(reason, false);
    }

    private UnsupportedException(String reason, boolean isNamed) {
        super(reason, null, false, false);
        this.isNamed = isNamed;
    }

    /** A reason that says all. */
    static UnsupportedException named(String reason) {
        return new UnsupportedException(reason, true);
    }

    /** The same with the name of the function, if it does not name one. */
    UnsupportedException of(String function) {
        return isNamed ? this : named(function + ": " + getMessage());
    }
}
