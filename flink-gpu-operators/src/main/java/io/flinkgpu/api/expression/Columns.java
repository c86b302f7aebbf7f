package io.flinkgpu.api.expression;

import io.flinkgpu.api.BooleanGetter;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DoubleGetter;
import io.flinkgpu.api.LongGetter;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.ValueGetter;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The columns of a record that expressions can read. Immutable: each method gives a changed copy. Only
 * columns that an expression reads are read from records.
 *
 * <pre>{@code
 * Columns.<Person>empty().text("name", Person::name).longs("age", Person::age)
 * }</pre>
 *
 * <p>Getters are method references, or lambdas that name the record's type: {@code (Person p) -> p.age}.
 * Boxed values may be null.
 *
 * @param <T> the record
 */
// Method references and typed lambdas pick one overload; for an untyped lambda the compiler asks
// for
// the type, which is wanted: whether its value may be null would be a guess.
@SuppressWarnings("overloads")
@PublicEvolving
public final class Columns<T> implements Serializable {

    private static final long serialVersionUID = 1L;

    private final ArrayList<Column> columns;

    private Columns(List<Column> columns) {
        this.columns = new ArrayList<>(columns);
    }

    /** No columns yet. */
    public static <T> Columns<T> empty() {
        return new Columns<>(List.of());
    }

    /** Adds a text, which may be null. */
    public Columns<T> text(String name, TextGetter<T> getter) {
        return with(name, ColumnType.TEXT, getter);
    }

    /** Adds an integer: a {@code long}, {@code int}, {@code short} or {@code byte}. */
    public Columns<T> longs(String name, LongGetter<T> getter) {
        return with(name, ColumnType.LONG, getter);
    }

    /** Adds an integer that may be null: a {@code Long}, {@code Integer}, {@code Short} or {@code Byte}. */
    public Columns<T> longs(String name, ValueGetter<T, ? extends Number> getter) {
        return with(name, ColumnType.LONG, getter);
    }

    /** Adds a {@code double}, or a {@code float}. */
    public Columns<T> doubles(String name, DoubleGetter<T> getter) {
        return with(name, ColumnType.DOUBLE, getter);
    }

    /** Adds a {@code Double} or a {@code Float} that may be null. */
    public Columns<T> doubles(String name, ValueGetter<T, ? extends Number> getter) {
        return with(name, ColumnType.DOUBLE, getter);
    }

    /** Adds a {@code boolean}. */
    public Columns<T> booleans(String name, BooleanGetter<T> getter) {
        return with(name, ColumnType.BOOLEAN, getter);
    }

    /** Adds a {@code Boolean} that may be null. */
    public Columns<T> booleans(String name, ValueGetter<T, Boolean> getter) {
        return with(name, ColumnType.BOOLEAN, getter);
    }

    /**
     * Adds a column of any type, whose values may be null. Expressions read texts, longs, doubles and
     * booleans only.
     *
     * @param getter gives the class that {@link ColumnType} names
     */
    public Columns<T> column(String name, ColumnType type, ValueGetter<T, ?> getter) {
        return with(name, Objects.requireNonNull(type, "type"), getter);
    }

    /** The columns and their types, in order. */
    public Map<String, ColumnType> types() {
        Map<String, ColumnType> types = new LinkedHashMap<>();
        columns.forEach(column -> types.put(column.name, column.type));
        return Collections.unmodifiableMap(types);
    }

    /**
     * What reads a column: a {@link TextGetter}, {@link LongGetter}, {@link DoubleGetter}, {@link
     * BooleanGetter} or {@link ValueGetter} of records.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public Object getter(String name) {
        for (Column column : columns) {
            if (column.name.equals(name)) {
                return column.getter;
            }
        }
        throw new IllegalArgumentException(
                "no such column: column='" + name + "', columns=" + types().keySet());
    }

    private Columns<T> with(String name, ColumnType type, Serializable getter) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(getter, "getter");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a column needs a name: name='" + name + "'");
        }
        if (types().containsKey(name)) {
            throw new IllegalArgumentException(
                    "two columns must not have one name: column='"
                            + name
                            + "'; rename one of them");
        }
        List<Column> more = new ArrayList<>(columns);
        more.add(new Column(name, type, getter));
        return new Columns<>(more);
    }

    private record Column(String name, ColumnType type, Serializable getter)
            implements Serializable {

        private static final long serialVersionUID = 1L;
    }
}
