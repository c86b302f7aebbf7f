package io.flinkgpu.api;

import java.io.Serializable;
import java.util.Objects;

/**
 * The type of a column of numbers. Integers and decimals are 64-bit integers in a column, a decimal as
 * its unscaled value; floats and doubles are doubles.
 */
public final class ValueType implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most digits of a decimal. */
    public static final int MAX_PRECISION = 18;

    public static final ValueType INT = new ValueType(Kind.INT, 0, 0);
    public static final ValueType LONG = new ValueType(Kind.LONG, 0, 0);
    public static final ValueType FLOAT = new ValueType(Kind.FLOAT, 0, 0);
    public static final ValueType DOUBLE = new ValueType(Kind.DOUBLE, 0, 0);

    /** What a value is in Java; DECIMAL is a {@link java.math.BigDecimal}. */
    public enum Kind {
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        DECIMAL
    }

    private final Kind kind;
    private final int precision;
    private final int scale;

    private ValueType(Kind kind, int precision, int scale) {
        this.kind = kind;
        this.precision = precision;
        this.scale = scale;
    }

    /**
     * Decimals.
     *
     * @param precision digits in all, 1 to {@value #MAX_PRECISION}
     * @param scale digits behind the point, 0 to {@code precision}
     * @throws IllegalArgumentException if one of them is not in its range
     */
    public static ValueType decimal(int precision, int scale) {
        if (precision < 1 || precision > MAX_PRECISION) {
            throw Errors.argument(
                    "a decimal has 1 to 18 digits: precision=%s; use Flink's own window operator"
                            + " for wider ones",
                    precision);
        }
        if (scale < 0 || scale > precision) {
            throw Errors.argument(
                    "a decimal's scale is 0 to its precision: precision=%s, scale=%s",
                    precision, scale);
        }
        return new ValueType(Kind.DECIMAL, precision, scale);
    }

    static ValueType of(Kind kind, int precision, int scale) {
        return kind == Kind.DECIMAL ? decimal(precision, scale) : new ValueType(kind, 0, 0);
    }

    public Kind kind() {
        return kind;
    }

    /** Digits of a decimal in all; 0 for other types. */
    public int precision() {
        return precision;
    }

    /** Digits of a decimal behind the point; 0 for other types. */
    public int scale() {
        return scale;
    }

    /** Whether values are doubles in a column, not 64-bit integers. */
    public boolean isFloating() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueType that
                && kind == that.kind
                && precision == that.precision
                && scale == that.scale;
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, precision, scale);
    }

    @Override
    public String toString() {
        return kind == Kind.DECIMAL ? "DECIMAL(" + precision + ", " + scale + ")" : kind.name();
    }
}
