package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The results of an aggregation, by index or by name, of the types that {@link Aggregate} lists; in the
 * order in which the aggregates were asked for. Immutable.
 */
@PublicEvolving
public final class AggregateValues {

    private final ResultSchema schema;
    private final Object[] values;

    /**
     * For a single one; many share a schema.
     *
     * @param specs what was computed
     * @param values the results; owned from here on
     */
    public AggregateValues(List<ValueSpec> specs, Object[] values) {
        this(new ResultSchema(specs), values);
    }

    /**
     * @param values the results; owned from here on
     */
    public AggregateValues(ResultSchema schema, Object[] values) {
        Errors.present("schema", schema);
        Errors.present("values", values);
        if (values.length != schema.size()) {
            throw Errors.argument(
                    "each result must have a value: results=%s, values=%s",
                    schema.size(), values.length);
        }
        this.schema = schema;
        this.values = values;
    }

    /** Names and types of the results. */
    public ResultSchema schema() {
        return schema;
    }

    /** How many results there are. */
    public int size() {
        return values.length;
    }

    /** The name of a result, for example {@code "temperature_min"}. */
    public String name(int index) {
        return schema.name(index);
    }

    /**
     * The index of a name.
     *
     * @throws IllegalArgumentException if there is none, with the names there are
     */
    public int index(String name) {
        return schema.index(name);
    }

    /**
     * A result, or null if there were no values.
     *
     * @throws IndexOutOfBoundsException if there is no such index, here and wherever one is given
     */
    public Object get(int index) {
        Object value = values[index];
        // That it is a number is seen at once, that it is no list only after a search of its
        // interfaces.
        if (value instanceof Number) {
            return value;
        }
        return value instanceof List<?> list ? Collections.unmodifiableList(list) : value;
    }

    /**
     * A result, or null if there were no values.
     *
     * @throws IllegalArgumentException if there is no such name, here and wherever one is given
     */
    public Object get(String name) {
        return get(index(name));
    }

    /** Whether there were no values for a result. */
    public boolean isNull(int index) {
        return get(index) == null;
    }

    /** Whether there were no values for a result. */
    public boolean isNull(String name) {
        return isNull(index(name));
    }

    /**
     * A number that fits a long without loss.
     *
     * @throws ArithmeticException if this one does not
     * @throws ClassCastException if it is no number, here and below
     * @throws NullPointerException if there were no values
     */
    public long getLong(int index) {
        Object value = number(index);
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        try {
            return getDecimal(index).longValueExact();
        } catch (ArithmeticException e) {
            throw new ArithmeticException(
                    "a result must be an integer in the range of a long: "
                            + describe(index)
                            + "; use getDouble(..) or getDecimal(..)");
        }
    }

    /** As {@link #getLong(int)}, by name. */
    public long getLong(String name) {
        return getLong(index(name));
    }

    /**
     * A number as the nearest double.
     *
     * @throws NullPointerException if there were no values
     */
    public double getDouble(int index) {
        return number(index).doubleValue();
    }

    /** As {@link #getDouble(int)}, by name. */
    public double getDouble(String name) {
        return getDouble(index(name));
    }

    /**
     * A number as a decimal, exactly.
     *
     * @throws ArithmeticException if it is infinite or NaN
     * @throws NullPointerException if there were no values
     */
    public BigDecimal getDecimal(int index) {
        Number value = number(index);
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof Long || value instanceof Integer) {
            return BigDecimal.valueOf(value.longValue());
        }
        double number = value.doubleValue();
        if (!Double.isFinite(number)) {
            throw new ArithmeticException(
                    "a result must be finite: " + describe(index) + "; use getDouble(..)");
        }
        return new BigDecimal(number);
    }

    /** As {@link #getDecimal(int)}, by name. */
    public BigDecimal getDecimal(String name) {
        return getDecimal(index(name));
    }

    /**
     * A text; null if there were no values, or it is the null of another column.
     *
     * @throws ClassCastException if it is no text
     */
    public String getText(int index) {
        return cast(index, String.class, "a text");
    }

    /** As {@link #getText(int)}, by name. */
    public String getText(String name) {
        return getText(index(name));
    }

    /**
     * A list, which may have nulls in it and cannot be changed; null if there were no values.
     *
     * @throws ClassCastException if it is no list
     */
    public List<?> getList(int index) {
        return cast(index, List.class, "a list");
    }

    /** As {@link #getList(int)}, by name. */
    public List<?> getList(String name) {
        return getList(index(name));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AggregateValues that
                && schema.equals(that.schema)
                && Arrays.deepEquals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    /** The names of the results, without the values, which logs are not to have. */
    @Override
    public String toString() {
        return "AggregateValues" + schema.names();
    }

    private Number number(int index) {
        if (values[index] instanceof Number number) {
            return number;
        }
        cast(index, Number.class, "a number");
        throw new NullPointerException(
                "a result of no values is null: " + describe(index) + "; ask isNull(..) first");
    }

    /** A result of a class, or null. */
    private <V> V cast(int index, Class<V> asked, String what) {
        Object value = get(index);
        if (value != null && !asked.isInstance(value)) {
            throw new ClassCastException(
                    "a result must be "
                            + what
                            + " to be read as one: "
                            + describe(index)
                            + "; use "
                            + getter(value));
        }
        return asked.cast(value);
    }

    private static String getter(Object value) {
        if (value instanceof String) {
            return "getText(..)";
        }
        if (value instanceof List) {
            return "getList(..)";
        }
        if (value instanceof BigDecimal) {
            return "getDecimal(..)";
        }
        if (value instanceof Number) {
            return value instanceof Double || value instanceof Float
                    ? "getDouble(..)"
                    : "getLong(..)";
        }
        return "get(..)";
    }

    /** A result's name and class; its value is not for messages. */
    private String describe(int index) {
        String type = schema.result(index).type().getSimpleName();
        return "result='" + name(index) + "', type=" + type;
    }
}
