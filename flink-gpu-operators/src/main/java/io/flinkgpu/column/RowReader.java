package io.flinkgpu.column;

import io.flinkgpu.api.BooleanGetter;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DoubleGetter;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.LongGetter;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.expression.Columns;

import org.apache.flink.annotation.Internal;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Reads some of the columns of a record. Not thread-safe. */
@Internal
public final class RowReader<T> {

    private final List<String> names;
    private final CellReader<T>[] readers;

    /** Null for a column of another type. */
    private final TextGetter<T>[] textGetters;

    private final ErrorValues errors;

    /**
     * @param columns how records are read
     * @param names of the columns that are
     * @param errors writes values into messages
     */
    // Arrays cannot be generic.
    @SuppressWarnings({"unchecked", "rawtypes"})
    public RowReader(Columns<T> columns, List<String> names, ErrorValues errors) {
        this.errors = errors;
        this.names = List.copyOf(names);
        readers = new CellReader[names.size()];
        textGetters = new TextGetter[names.size()];
        for (int i = 0; i < readers.length; i++) {
            String name = names.get(i);
            Object getter = columns.getter(name);
            readers[i] = reader(getter, columns.types().get(name), i);
            textGetters[i] = getter instanceof TextGetter ? (TextGetter<T>) getter : null;
        }
    }

    /**
     * Fills {@code into} with the record's values.
     *
     * @throws IllegalStateException if a getter threw or gave an object of a class that does not go with
     *     its column, with the name of the column
     */
    public void read(T record, RowValues into) {
        for (int i = 0; i < readers.length; i++) {
            try {
                readers[i].read(record, into);
            } catch (BadValueException e) {
                throw unreadable(i, e);
            } catch (RuntimeException e) {
                throw unreadable(i, e);
            }
        }
    }

    /**
     * Fills {@code into} with the record's values of other types, and the first elements of {@code texts}
     * with its texts, null where they are.
     *
     * @throws IllegalStateException as above
     */
    public void read(T record, String[] texts, RowValues into) {
        for (int i = 0; i < readers.length; i++) {
            try {
                if (textGetters[i] == null) {
                    readers[i].read(record, into);
                } else {
                    texts[i] = textGetters[i].get(record);
                }
            } catch (BadValueException e) {
                throw unreadable(i, e);
            } catch (RuntimeException e) {
                throw unreadable(i, e);
            }
        }
    }

    private IllegalStateException unreadable(int column, BadValueException reason) {
        return new IllegalStateException(
                "a column could not be read of a record: column='"
                        + names.get(column)
                        + "': "
                        + reason.getMessage(),
                reason);
    }

    private IllegalStateException unreadable(int column, RuntimeException thrown) {
        return new IllegalStateException(
                "a column could not be read of a record: column='"
                        + names.get(column)
                        + "'; make its getter take every record, or filter before: exception="
                        + errors.thrown(thrown)
                        + errors.remedy(),
                errors.cause(thrown));
    }

    // The getter of a column takes the records of its columns.
    @SuppressWarnings("unchecked")
    private static <T> CellReader<T> reader(Object getter, ColumnType type, int column) {
        if (getter instanceof TextGetter<?>) {
            TextGetter<T> texts = (TextGetter<T>) getter;
            return (record, into) -> {
                String text = texts.get(record);
                if (text == null) {
                    into.putNull(column);
                } else {
                    into.putText(column, text);
                }
            };
        }
        if (getter instanceof LongGetter<?>) {
            LongGetter<T> longs = (LongGetter<T>) getter;
            return (record, into) -> into.putWord(column, longs.get(record));
        }
        if (getter instanceof DoubleGetter<?>) {
            DoubleGetter<T> doubles = (DoubleGetter<T>) getter;
            return (record, into) ->
                    into.putWord(column, Double.doubleToLongBits(doubles.get(record)));
        }
        if (getter instanceof BooleanGetter<?>) {
            BooleanGetter<T> booleans = (BooleanGetter<T>) getter;
            return (record, into) -> into.putWord(column, booleans.get(record) ? 1 : 0);
        }
        ValueGetter<T, ?> values = (ValueGetter<T, ?>) getter;
        return (record, into) -> {
            Object value = values.get(record);
            try {
                put(value, type, into, column);
            } catch (ClassCastException e) {
                throw bad(
                        "a getter must give the class of its type: class=%s, type=%s; change the"
                                + " getter or the type",
                        value.getClass().getName(), type);
            }
        };
    }

    private static BadValueException bad(String format, Object... values) {
        return new BadValueException(format.formatted(values));
    }

    private static void put(Object value, ColumnType type, RowValues into, int column)
            throws BadValueException {
        if (value == null) {
            into.putNull(column);
            return;
        }
        switch (type.kind()) {
            case TEXT -> into.putText(column, (String) value);
            case BYTES -> into.putText(column, (byte[]) value);
            case INT -> into.putWord(column, (Integer) value);
            case FLOAT -> into.putWord(column, Double.doubleToLongBits((Float) value));
            case LONG, DOUBLE -> into.putWord(column, word(value, type));
            case BOOLEAN -> into.putWord(column, (Boolean) value ? 1 : 0);
            case TIMESTAMP -> into.putWord(column, (Long) value);
            case DECIMAL -> into.putWord(column, unscaled((BigDecimal) value, type));
            case LIST -> {
                List<?> list = (List<?>) value;
                RowValues elements = new RowValues(list.size());
                for (int i = 0; i < list.size(); i++) {
                    put(list.get(i), type.element(), elements, i);
                }
                into.putList(column, elements);
            }
            case VECTOR -> {
                RowValues elements = new RowValues(type.length());
                if (Array.getLength(value) != type.length()) {
                    throw bad(
                            "a vector has as many elements as its type says: elements=%s, type=%s",
                            Array.getLength(value), type);
                }
                for (int i = 0; i < type.length(); i++) {
                    put(Array.get(value, i), type.element(), elements, i);
                    if (elements.isNull(i)) {
                        throw bad(
                                "an element of a vector is not null: place=%s, type=%s; use a list",
                                i, type);
                    }
                }
                into.putList(column, elements);
            }
        }
    }

    private static long unscaled(BigDecimal value, ColumnType type) throws BadValueException {
        if (Decimals.isTooLarge(value, type)) {
            throw bad(
                    "a decimal has more digits than its type: type=%s; declare a greater precision",
                    type);
        }
        BigInteger units = Decimals.units(value, type);
        if (units == null) {
            throw bad(
                    "a decimal has more digits behind the point than its type: type=%s; round it in"
                            + " the getter",
                    type);
        }
        return units.longValueExact();
    }

    private static long word(Object value, ColumnType type) throws BadValueException {
        boolean isFloating = value instanceof Double || value instanceof Float;
        if (isFloating && type == ColumnType.DOUBLE) {
            return Double.doubleToLongBits(((Number) value).doubleValue());
        }
        boolean isInteger =
                value instanceof Long
                        || value instanceof Integer
                        || value instanceof Short
                        || value instanceof Byte;
        if (isInteger && type == ColumnType.LONG) {
            return ((Number) value).longValue();
        }
        throw bad(
                "%s: class=%s; convert it in the getter",
                type == ColumnType.LONG
                        ? "longs are Long, Integer, Short or Byte"
                        : "doubles are Double or Float",
                value.getClass().getName());
    }

    @FunctionalInterface
    private interface CellReader<T> {

        void read(T record, RowValues into) throws BadValueException;
    }
}
