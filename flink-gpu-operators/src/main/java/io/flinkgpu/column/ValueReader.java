package io.flinkgpu.column;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DoubleGetter;
import io.flinkgpu.api.FloatGetter;
import io.flinkgpu.api.IntGetter;
import io.flinkgpu.api.LongGetter;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the numbers of a record. All or nothing: if one of them cannot go into its column, the record
 * has none. Not thread-safe.
 */
@Internal
public final class ValueReader<T> {

    private static final int MAX_SHOWN_CHARS = 80;

    private final Aggregates<T> aggregates;
    private final List<ValueSpec> specs;
    private final List<ColumnReader<T>> readers = new ArrayList<>();

    public ValueReader(Aggregates<T> aggregates) {
        this.aggregates = aggregates;
        specs = aggregates.specs();
        for (int column = 0; column < specs.size(); column++) {
            readers.add(reader(aggregates.getter(column), specs.get(column), column));
        }
    }

    /**
     * Fills {@code into} with the record's numbers.
     *
     * @throws BadValueException if a getter threw, gave an object of another class than its type's, or
     *     a decimal with more digits than declared, with the name of the column and the value
     */
    public void read(T record, RowValues into) throws BadValueException {
        for (int column = 0; column < readers.size(); column++) {
            try {
                readers.get(column).read(record, into);
            } catch (RuntimeException e) {
                throw new BadValueException(
                        "a getter must not throw: "
                                + specs.get(column).label(column)
                                + ", exception="
                                + shown(e)
                                + remedy(column, e),
                        e);
            }
        }
    }

    /** A getter of numbers that are not boxed cannot give the null of a field that is. */
    private String remedy(int column, RuntimeException thrown) {
        return thrown instanceof NullPointerException
                        && !(aggregates.getter(column) instanceof ValueGetter)
                ? "; if the value may be null, give its type too: of(getter, ColumnType."
                        + specs.get(column).type()
                        + ")"
                : "";
    }

    // The getter of a column takes the records of its aggregation.
    @SuppressWarnings("unchecked")
    private static <T> ColumnReader<T> reader(Object getter, ValueSpec spec, int column) {
        if (getter instanceof IntGetter<?>) {
            IntGetter<T> ints = (IntGetter<T>) getter;
            return (record, into) -> into.putWord(column, ints.get(record));
        }
        if (getter instanceof LongGetter<?>) {
            LongGetter<T> longs = (LongGetter<T>) getter;
            return (record, into) -> into.putWord(column, longs.get(record));
        }
        if (getter instanceof FloatGetter<?>) {
            FloatGetter<T> floats = (FloatGetter<T>) getter;
            return (record, into) ->
                    into.putWord(column, Double.doubleToLongBits(floats.get(record)));
        }
        if (getter instanceof DoubleGetter<?>) {
            DoubleGetter<T> doubles = (DoubleGetter<T>) getter;
            return (record, into) ->
                    into.putWord(column, Double.doubleToLongBits(doubles.get(record)));
        }
        ValueGetter<T, ?> values = (ValueGetter<T, ?>) getter;
        return (record, into) -> {
            Object value = values.get(record);
            if (value == null) {
                into.putNull(column);
            } else {
                into.putWord(column, word(value, spec, column));
            }
        };
    }

    private static long word(Object value, ValueSpec spec, int column) throws BadValueException {
        switch (spec.type().kind()) {
            case INT -> {
                if (value instanceof Integer number) {
                    return number;
                }
            }
            case LONG -> {
                if (value instanceof Long number) {
                    return number;
                }
            }
            case FLOAT -> {
                if (value instanceof Float number) {
                    return Double.doubleToLongBits(number);
                }
            }
            case DOUBLE -> {
                if (value instanceof Double number) {
                    return Double.doubleToLongBits(number);
                }
            }
            case DECIMAL -> {
                if (value instanceof BigDecimal number) {
                    return unscaled(number, spec, column);
                }
            }
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR ->
                    throw spec.type().refusedBy("a number");
        }
        throw new BadValueException(
                "a getter must give the class of its type: "
                        + describe(spec, column, value)
                        + ", class="
                        + value.getClass().getName()
                        + "; change the getter or the type");
    }

    private static long unscaled(BigDecimal value, ValueSpec spec, int column)
            throws BadValueException {
        if (value.signum() == 0) {
            return 0;
        }
        ColumnType type = spec.type();
        // Known before anything is computed: a scale can be huge.
        if ((long) value.precision() - value.scale() > type.precision() - type.scale()) {
            throw new BadValueException(
                    "a decimal must not have more digits than declared: "
                            + describe(spec, column, value)
                            + "; declare a greater precision");
        }
        BigInteger unscaled = null;
        if ((long) value.scale() - type.scale() < value.precision()) {
            BigDecimal scaled = value.stripTrailingZeros();
            if (scaled.scale() <= type.scale()) {
                unscaled = scaled.setScale(type.scale()).unscaledValue();
            }
        }
        if (unscaled == null) {
            throw new BadValueException(
                    "a decimal must not have more digits behind the point than declared: "
                            + describe(spec, column, value)
                            + "; round it in the getter or declare a greater scale");
        }
        return unscaled.longValueExact();
    }

    private static String describe(ValueSpec spec, int column, Object value) {
        return spec.label(column) + ", value=" + shown(value) + ", type=" + spec.type();
    }

    /** Any value as part of one short line. */
    public static String shown(Object value) {
        String text = String.valueOf(value).replaceAll("\\R", " ");
        return text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "...";
    }

    @FunctionalInterface
    private interface ColumnReader<T> {

        void read(T record, RowValues into) throws BadValueException;
    }
}
