package io.flinkgpu.column;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DoubleGetter;
import io.flinkgpu.api.ErrorValues;
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
 * Reads the numbers and texts of a record: the columns of its aggregates, and after a place for each cell
 * of theirs the other columns that they ask for. All or nothing: if one of them cannot go into its
 * column, the record has none. Not thread-safe.
 */
@Internal
public final class ValueReader<T> {

    private final Input<T>[] inputs;
    private final ErrorValues errors;

    /**
     * @param errors writes values into messages
     */
    @SuppressWarnings("unchecked") // Of an array that nobody else sees.
    public ValueReader(Aggregates<T> aggregates, ErrorValues errors) {
        this.errors = errors;
        List<Input<T>> inputs = new ArrayList<>();
        List<ValueSpec> specs = aggregates.specs();
        int other = specs.size();
        for (int column = 0; column < specs.size(); column++) {
            ValueSpec spec = specs.get(column);
            inputs.add(
                    new Input<>(
                            aggregates.getter(column),
                            column,
                            spec.label(column),
                            spec.type(),
                            errors));
            other += spec.cells().size();
        }
        for (int column = 0; column < specs.size(); column++) {
            List<CellAggregate> cells = specs.get(column).cells();
            for (int i = 0; i < cells.size(); i++) {
                CellAggregate cell = cells.get(i);
                if (cell.other() != null) {
                    String label = "result='" + cell.name() + "'";
                    inputs.add(
                            new Input<>(
                                    aggregates.others(column).get(i),
                                    other++,
                                    label,
                                    cell.other(),
                                    errors));
                }
            }
        }
        this.inputs = inputs.toArray(Input[]::new);
    }

    /**
     * Fills {@code into} with the record's numbers and texts.
     *
     * @throws BadValueException if a getter threw, gave an object of another class than its type's, or
     *     a decimal with more digits than declared, with the name of the column and the value
     */
    public void read(T record, RowValues into) throws BadValueException {
        for (Input<T> input : inputs) {
            try {
                input.reader.read(record, into);
            } catch (RuntimeException e) {
                throw new BadValueException(
                        "a getter must not throw: "
                                + input.label
                                + ", exception="
                                + errors.thrown(e)
                                + input.remedy(e),
                        errors.cause(e));
            }
        }
    }

    // The getter of a column takes the records of its aggregation.
    @SuppressWarnings("unchecked")
    private static <T> ColumnReader<T> reader(Input<T> input) {
        Object getter = input.getter;
        int column = input.column;
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
            } else if (input.type == ColumnType.TEXT) {
                into.putText(column, text(value, input));
            } else {
                into.putWord(column, word(value, input));
            }
        };
    }

    private static String text(Object value, Input<?> input) throws BadValueException {
        if (value instanceof String text) {
            return text;
        }
        throw ofAnotherClass(value, input);
    }

    private static long word(Object value, Input<?> input) throws BadValueException {
        switch (input.type.kind()) {
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
                    return unscaled(number, input);
                }
            }
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR ->
                    throw input.type.refusedBy("a number");
        }
        throw ofAnotherClass(value, input);
    }

    private static BadValueException ofAnotherClass(Object value, Input<?> input) {
        return new BadValueException(
                "a getter must give the class of its type: "
                        + input.describe(value)
                        + ", class="
                        + value.getClass().getName()
                        + "; change the getter or the type");
    }

    private static long unscaled(BigDecimal value, Input<?> input) throws BadValueException {
        if (Decimals.isTooLarge(value, input.type)) {
            throw new BadValueException(
                    "a decimal must not have more digits than declared: "
                            + input.describe(value)
                            + "; declare a greater precision");
        }
        BigInteger units = Decimals.units(value, input.type);
        if (units == null) {
            throw new BadValueException(
                    "a decimal must not have more digits behind the point than declared: "
                            + input.describe(value)
                            + "; round it in the getter or declare a greater scale");
        }
        return units.longValueExact();
    }

    @FunctionalInterface
    private interface ColumnReader<T> {

        void read(T record, RowValues into) throws BadValueException;
    }

    /** A getter, and the row's column that it fills. */
    private static final class Input<T> {

        private final Object getter;
        private final int column;
        private final String label;
        private final ColumnType type;
        private final ErrorValues errors;
        private final ColumnReader<T> reader;

        Input(Object getter, int column, String label, ColumnType type, ErrorValues errors) {
            this.getter = getter;
            this.column = column;
            this.label = label;
            this.type = type;
            this.errors = errors;
            this.reader = reader(this);
        }

        String describe(Object value) {
            return label + ", value=" + errors.shown(value) + ", type=" + type;
        }

        /** A getter of numbers that are not boxed cannot give the null of a field that is. */
        String remedy(RuntimeException thrown) {
            return thrown instanceof NullPointerException && !(getter instanceof ValueGetter)
                    ? "; if the value may be null, give its type too: of(getter, ColumnType."
                            + type
                            + ")"
                    : "";
        }
    }
}
