package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Objects;

/**
 * What a column holds, of any kind of plan; each row of it may be null. Immutable. A type without
 * parameters is always the constant of its name, so {@code ==} will do for those.
 *
 * <pre>
 *   type            object in a record                          column
 *   TEXT            String                                      Utf8
 *   BYTES           byte[]                                      Binary
 *   INT             Integer                                     Int32
 *   LONG            Long                                        Int64
 *   FLOAT           Float                                       Float32
 *   DOUBLE          Double                                      Float64
 *   BOOLEAN         Boolean                                     Bool
 *   DECIMAL(p, s)   BigDecimal                                  Int64, unscaled
 *   TIMESTAMP       Long, milliseconds since 1970, UTC          Timestamp(MILLISECOND)
 *   LIST(t)         List of objects of t, nulls too             List
 *   VECTOR(n, t)    int[], long[], float[] or double[] of n     FixedSizeList, no nulls in it
 * </pre>
 *
 * <p>In the batches of an aggregation INT and FLOAT are as wide as LONG and DOUBLE: see {@link #word}.
 */
@PublicEvolving
public final class ColumnType implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most digits of a decimal. */
    public static final int MAX_PRECISION = 18;

    /** Text as UTF-8. */
    public static final ColumnType TEXT = new ColumnType(Kind.TEXT);

    /** Any bytes. */
    public static final ColumnType BYTES = new ColumnType(Kind.BYTES);

    /** A signed integer of 32 bits. */
    public static final ColumnType INT = new ColumnType(Kind.INT);

    /** A signed integer of 64 bits. */
    public static final ColumnType LONG = new ColumnType(Kind.LONG);

    /** A number of 32 bits as IEEE 754 has it. */
    public static final ColumnType FLOAT = new ColumnType(Kind.FLOAT);

    /** A number of 64 bits as IEEE 754 has it. */
    public static final ColumnType DOUBLE = new ColumnType(Kind.DOUBLE);

    /** True or false. */
    public static final ColumnType BOOLEAN = new ColumnType(Kind.BOOLEAN);

    /** Milliseconds since 1970, UTC. */
    public static final ColumnType TIMESTAMP = new ColumnType(Kind.TIMESTAMP);

    /** What is common to types that differ in parameters only. Savepoints have the names of numbers. */
    public enum Kind {
        /** Text as UTF-8. */
        TEXT,
        /** Any bytes. */
        BYTES,
        /** 32 bits. */
        INT,
        /** 64 bits. */
        LONG,
        /** 32 bits as IEEE 754 has them. */
        FLOAT,
        /** 64 bits as IEEE 754 has them. */
        DOUBLE,
        /** True or false. */
        BOOLEAN,
        /** A number of a precision and a scale. */
        DECIMAL,
        /** Milliseconds since 1970, UTC. */
        TIMESTAMP,
        /** Any number of values of one type. */
        LIST,
        /** A fixed number of values of one type. */
        VECTOR
    }

    private final Kind kind;
    private final int precision;
    private final int scale;
    private final int length;
    private final ColumnType element;

    private ColumnType(Kind kind) {
        this(kind, 0, 0, 0, null);
    }

    private ColumnType(Kind kind, int precision, int scale, int length, ColumnType element) {
        this.kind = kind;
        this.precision = precision;
        this.scale = scale;
        this.length = length;
        this.element = element;
    }

    /**
     * Decimals.
     *
     * @param precision digits in all, 1 to {@value #MAX_PRECISION}
     * @param scale digits behind the point, 0 to {@code precision}
     * @throws IllegalArgumentException if one of them is not in its range
     */
    public static ColumnType decimal(int precision, int scale) {
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
        return new ColumnType(Kind.DECIMAL, precision, scale, 0, null);
    }

    /**
     * Lists of any number of elements.
     *
     * @throws IllegalArgumentException if the elements are lists or vectors
     */
    public static ColumnType list(ColumnType element) {
        Errors.present("element", element);
        if (element.element != null) {
            throw Errors.argument(
                    "a list has elements that are no lists and no vectors: element=%s; put all in one"
                            + " list, or use several columns",
                    element);
        }
        return new ColumnType(Kind.LIST, 0, 0, 0, element);
    }

    /**
     * Lists of so many numbers each, for example embeddings.
     *
     * @param length at least 1
     * @param element INT, LONG, FLOAT or DOUBLE
     * @throws IllegalArgumentException if one of them is something else
     */
    public static ColumnType vector(int length, ColumnType element) {
        if (length < 1 || !element.isNumber() || element.kind == Kind.DECIMAL) {
            throw Errors.argument(
                    "a vector has one or more INT, LONG, FLOAT or DOUBLE: length=%s, element=%s; use a"
                            + " list for others",
                    length, element);
        }
        return new ColumnType(Kind.VECTOR, 0, 0, length, element);
    }

    /** A type without elements. */
    @Internal
    public static ColumnType of(Kind kind, int precision, int scale) {
        Errors.present("kind", kind);
        return kind == Kind.DECIMAL
                ? decimal(precision, scale)
                : (ColumnType) new ColumnType(kind).readResolve();
    }

    /** What it is, without its parameters. */
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

    /** How many elements a vector has; 0 for other types. */
    public int length() {
        return length;
    }

    /** What a list or a vector is of; null for other types. */
    public ColumnType element() {
        return element;
    }

    /** Whether it can be aggregated: INT, LONG, FLOAT, DOUBLE and decimals. */
    public boolean isNumber() {
        return isFloating() || kind == Kind.INT || kind == Kind.LONG || kind == Kind.DECIMAL;
    }

    /** Whether values are floats or doubles. */
    public boolean isFloating() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    /** The type of 8 bytes by which an aggregation reads numbers of this one: DOUBLE or LONG. */
    public ColumnType word() {
        return isFloating() ? DOUBLE : LONG;
    }

    /** What to throw where a column cannot be of this type. */
    public IllegalArgumentException refusedBy(String what) {
        return Errors.argument(
                "%s cannot be of this type: type=%s; declare another one, and convert to it",
                what, this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnType that
                && kind == that.kind
                && precision == that.precision
                && scale == that.scale
                && length == that.length
                && Objects.equals(element, that.element);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, precision, scale, length, element);
    }

    /** As the table above names it. */
    @Override
    public String toString() {
        return switch (kind) {
            case TEXT, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, TIMESTAMP -> kind.name();
            case DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
            case LIST -> "LIST(" + element + ")";
            case VECTOR -> "VECTOR(" + length + ", " + element + ")";
        };
    }

    private Object readResolve() {
        return switch (kind) {
            case TEXT -> TEXT;
            case BYTES -> BYTES;
            case INT -> INT;
            case LONG -> LONG;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case BOOLEAN -> BOOLEAN;
            case TIMESTAMP -> TIMESTAMP;
            case DECIMAL, LIST, VECTOR -> this;
        };
    }
}
