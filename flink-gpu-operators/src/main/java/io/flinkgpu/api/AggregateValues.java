package io.flinkgpu.api;

import java.math.BigDecimal;

/**
 * The results of an aggregation, by index or by name, of the types that {@link Aggregate} lists; in the
 * order in which the aggregates were asked for. Immutable.
 */
public final class AggregateValues {

    /**
     * @param specs what was computed
     * @param values the results; owned from here on
     */
    public AggregateValues(java.util.List<ValueSpec> specs, Object[] values) {}

    public int size() {
        throw new UnsupportedOperationException();
    }

    /** The name of a result, for example {@code "temperature_min"}. */
    public String name(int index) {
        throw new UnsupportedOperationException();
    }

    /**
     * The index of a name.
     *
     * @throws IllegalArgumentException if there is none, with the names there are
     */
    public int index(String name) {
        throw new UnsupportedOperationException();
    }

    /** A result, or null if there were no values. */
    public Object get(int index) {
        throw new UnsupportedOperationException();
    }

    public Object get(String name) {
        return get(index(name));
    }

    public boolean isNull(int index) {
        return get(index) == null;
    }

    /** A number that fits a long without loss. */
    public long getLong(int index) {
        throw new UnsupportedOperationException();
    }

    public long getLong(String name) {
        return getLong(index(name));
    }

    /** A number as a double. */
    public double getDouble(int index) {
        throw new UnsupportedOperationException();
    }

    public double getDouble(String name) {
        return getDouble(index(name));
    }

    /** A number as a decimal. */
    public BigDecimal getDecimal(int index) {
        throw new UnsupportedOperationException();
    }

    public BigDecimal getDecimal(String name) {
        return getDecimal(index(name));
    }
}
