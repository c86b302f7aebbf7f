package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.types.Row;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The numbers of a record and what is computed of them. Immutable: each method gives a changed copy.
 *
 * <pre>{@code
 * Aggregates.of(Reading::getTemperature).named("temperature").min().mean().max()
 *         .and(Reading::getHumidity).named("humidity").count()
 * }</pre>
 *
 * <p>Each of {@link #min}, {@link #mean}, {@link #max}, {@link #sum} and {@link #count} is for the last
 * column, and throws an {@link IllegalArgumentException} if that has it already; {@link Aggregate} says
 * what they give.
 *
 * <p>Getters are method references, or lambdas that name the record's type: {@code (Reading r) -> r.t}.
 *
 * @param <T> the record
 */
// Method references and typed lambdas pick one overload; an untyped lambda is refused by the
// compiler, which is wanted: it would have to guess the number's type.
@SuppressWarnings("overloads")
@PublicEvolving
public final class Aggregates<T> implements Serializable {

    private static final long serialVersionUID = 1L;

    private final ArrayList<Column<T>> columns;

    private Aggregates(List<Column<T>> columns) {
        this.columns = new ArrayList<>(columns);
    }

    /** Begins with a column of ints. */
    public static <T> Aggregates<T> of(IntGetter<T> getter) {
        return new Aggregates<T>(List.of()).and(getter);
    }

    /** Begins with a column of longs. */
    public static <T> Aggregates<T> of(LongGetter<T> getter) {
        return new Aggregates<T>(List.of()).and(getter);
    }

    /** Begins with a column of floats, which are summed as doubles. */
    public static <T> Aggregates<T> of(FloatGetter<T> getter) {
        return new Aggregates<T>(List.of()).and(getter);
    }

    /** Begins with a column of doubles. */
    public static <T> Aggregates<T> of(DoubleGetter<T> getter) {
        return new Aggregates<T>(List.of()).and(getter);
    }

    /**
     * Begins with a column of boxed numbers, which may be null, or of decimals.
     *
     * @param getter gives the class that goes with the type: {@code Integer}, {@code Long}, {@code
     *     Float}, {@code Double} or {@code BigDecimal}
     */
    public static <T> Aggregates<T> of(ValueGetter<T, ? extends Number> getter, ColumnType type) {
        return new Aggregates<T>(List.of()).and(getter, type);
    }

    /** Begins with a field of lines, whose format says its type; the column has its name. */
    public static Aggregates<Row> ofField(String name) {
        return new Aggregates<Row>(List.of()).andField(name);
    }

    /** Begins another column. */
    public Aggregates<T> and(IntGetter<T> getter) {
        return with(getter, ColumnType.INT);
    }

    /** Begins another column. */
    public Aggregates<T> and(LongGetter<T> getter) {
        return with(getter, ColumnType.LONG);
    }

    /** Begins another column. */
    public Aggregates<T> and(FloatGetter<T> getter) {
        return with(getter, ColumnType.FLOAT);
    }

    /** Begins another column. */
    public Aggregates<T> and(DoubleGetter<T> getter) {
        return with(getter, ColumnType.DOUBLE);
    }

    /** Begins another column, of boxed numbers, which may be null, or of decimals. */
    public Aggregates<T> and(ValueGetter<T, ? extends Number> getter, ColumnType type) {
        return with(getter, type);
    }

    /** Begins another column: a field of lines, which has its name. */
    public Aggregates<T> andField(String name) {
        List<Column<T>> more = new ArrayList<>(columns);
        more.add(
                new Column<>(
                        new FieldOfLine(name), new ValueSpec(name, ColumnType.LONG, List.of())));
        return new Aggregates<>(more);
    }

    /** Names the last column. Columns beyond the first need names. */
    public Aggregates<T> named(String name) {
        Objects.requireNonNull(name, "name");
        Column<T> last = last();
        return withLast(
                new Column<>(
                        last.getter,
                        new ValueSpec(name, last.spec.type(), last.spec.aggregates())));
    }

    public Aggregates<T> min() {
        return compute(Aggregate.MIN);
    }

    public Aggregates<T> mean() {
        return compute(Aggregate.MEAN);
    }

    public Aggregates<T> max() {
        return compute(Aggregate.MAX);
    }

    public Aggregates<T> sum() {
        return compute(Aggregate.SUM);
    }

    /** The number of values that are not null. */
    public Aggregates<T> count() {
        return compute(Aggregate.COUNT);
    }

    /** The columns and what is computed of each, in order. */
    public List<ValueSpec> specs() {
        return columns.stream().map(Column::spec).toList();
    }

    /**
     * What reads a column: an {@link IntGetter}, {@link LongGetter}, {@link FloatGetter}, {@link
     * DoubleGetter} or {@link ValueGetter}.
     */
    public Object getter(int column) {
        return columns.get(column).getter;
    }

    /** The field of lines that a column is; null if it has a getter. */
    public String field(int column) {
        return columns.get(column).getter instanceof FieldOfLine field ? field.name : null;
    }

    /** With a getter and a type for each column, instead of a field. */
    public Aggregates<T> withGetters(
            List<? extends ValueGetter<T, ? extends Number>> getters, List<ColumnType> types) {
        List<Column<T>> changed = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ValueSpec spec = columns.get(i).spec;
            changed.add(
                    new Column<>(
                            getters.get(i),
                            new ValueSpec(spec.name(), types.get(i), spec.aggregates())));
        }
        return new Aggregates<>(changed);
    }

    /**
     * Checks what only the whole can tell.
     *
     * @return this
     * @throws IllegalArgumentException if a column computes nothing, or two columns or two results have
     *     one name
     */
    public Aggregates<T> checked() {
        Set<String> columnNames = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (ValueSpec spec : specs()) {
            if (!columnNames.add(spec.name())) {
                throw Errors.argument(
                        "each column needs a name of its own: column='%s'; give the columns names"
                                + " with named(..)",
                        spec.name());
            }
            if (spec.aggregates().isEmpty()) {
                throw Errors.argument(
                        "a column must compute something: column='%s'; add min(), mean(), max(),"
                                + " sum() or count()",
                        spec.name());
            }
            for (Aggregate aggregate : spec.aggregates()) {
                String name = spec.resultName(aggregate);
                if (!names.add(name)) {
                    throw Errors.argument(
                            "two results must not have one name: result='%s'; give the columns"
                                    + " names with named(..)",
                            name);
                }
            }
        }
        return this;
    }

    private Aggregates<T> compute(Aggregate aggregate) {
        Column<T> last = last();
        List<Aggregate> aggregates = new ArrayList<>(last.spec.aggregates());
        if (aggregates.contains(aggregate)) {
            throw Errors.argument(
                    "a column computes each aggregate once: column='%s', aggregate=%s; remove one"
                            + " of the calls",
                    last.spec.name(), aggregate);
        }
        aggregates.add(aggregate);
        return withLast(
                new Column<>(
                        last.getter,
                        new ValueSpec(last.spec.name(), last.spec.type(), aggregates)));
    }

    private Column<T> last() {
        return columns.get(columns.size() - 1);
    }

    private Aggregates<T> with(Serializable getter, ColumnType type) {
        Objects.requireNonNull(getter, "getter");
        List<Column<T>> more = new ArrayList<>(columns);
        more.add(new Column<>(getter, new ValueSpec("", type, List.of())));
        return new Aggregates<>(more);
    }

    private Aggregates<T> withLast(Column<T> column) {
        List<Column<T>> changed = new ArrayList<>(columns);
        changed.set(columns.size() - 1, column);
        return new Aggregates<>(changed);
    }

    /** In the place of a getter. */
    private record FieldOfLine(String name) implements Serializable {

        private static final long serialVersionUID = 1L;

        FieldOfLine {
            Objects.requireNonNull(name, "name");
        }
    }

    private record Column<T>(Serializable getter, ValueSpec spec) implements Serializable {

        private static final long serialVersionUID = 1L;
    }
}
