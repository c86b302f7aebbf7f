package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.types.Row;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The numbers and texts of a record and what is computed of them. Immutable: each method gives a changed copy.
 *
 * <pre>{@code
 * Aggregates.of(Reading::getTemperature).named("temperature").min().mean().max()
 *         .and(Reading::getHumidity).named("humidity").count()
 * }</pre>
 *
 * <p>Each of {@link #min}, {@link #mean}, {@link #max}, {@link #sum}, {@link #count}, the variances and those
 * after them is for the last column, and throws an {@link IllegalArgumentException} if that has it already,
 * or is of another type; {@link Aggregate} and {@link CellAggregate} say what they give.
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

    private final ArrayList<AggregateColumn<T>> columns;

    private Aggregates(List<AggregateColumn<T>> columns) {
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
     * Begins with a column of boxed numbers, which may be null, of decimals or of texts.
     *
     * @param getter gives the class that goes with the type: {@code Integer}, {@code Long}, {@code
     *     Float}, {@code Double}, {@code BigDecimal} or {@code String}
     * @throws IllegalArgumentException if the type is another
     */
    public static <T> Aggregates<T> of(ValueGetter<T, ?> getter, ColumnType type) {
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

    /** Begins another column, of boxed numbers, which may be null, of decimals or of texts. */
    public Aggregates<T> and(ValueGetter<T, ?> getter, ColumnType type) {
        return with(getter, type);
    }

    /** Begins another column: a field of lines, which has its name. */
    public Aggregates<T> andField(String name) {
        List<AggregateColumn<T>> more = new ArrayList<>(columns);
        more.add(AggregateColumn.of(new FieldOfLine<>(name), name, FieldOfLine.ANY));
        return new Aggregates<>(more);
    }

    /** Names the last column. Columns beyond the first need names. */
    public Aggregates<T> named(String name) {
        Errors.present("name", name);
        return withLast(lastColumn().named(name));
    }

    /** The least number or text. */
    public Aggregates<T> min() {
        return compute(Aggregate.MIN);
    }

    /** The mean of the values of the last column, rounded once. */
    public Aggregates<T> mean() {
        return compute(Aggregate.MEAN);
    }

    /** The greatest number or text. */
    public Aggregates<T> max() {
        return compute(Aggregate.MAX);
    }

    /** The sum of the values of the last column, rounded once. */
    public Aggregates<T> sum() {
        return compute(Aggregate.SUM);
    }

    /** The number of values that are not null. */
    public Aggregates<T> count() {
        return compute(Aggregate.COUNT);
    }

    /** The variance of what the values are a sample of; null of a single value. */
    public Aggregates<T> variance() {
        return compute(Aggregate.VARIANCE);
    }

    /** The square root of {@link #variance}; null of a single value. */
    public Aggregates<T> standardDeviation() {
        return compute(Aggregate.STANDARD_DEVIATION);
    }

    /** The variance of the values themselves. */
    public Aggregates<T> populationVariance() {
        return compute(Aggregate.POPULATION_VARIANCE);
    }

    /** The square root of {@link #populationVariance}. */
    public Aggregates<T> populationStandardDeviation() {
        return compute(Aggregate.POPULATION_STANDARD_DEVIATION);
    }

    /** About how many different values there are: {@link #approxDistinct(int)} with 4096 registers. */
    public Aggregates<T> approxDistinct() {
        return approxDistinct(CellAggregate.DEFAULT_LG_K);
    }

    /**
     * About how many different values there are that are not null, a Long: HyperLogLog, whose standard error
     * is 1.04 / sqrt(2^lgK), and far less up to 2^lgK / 11 values, which are kept one by one. -0.0 is 0.0, and
     * all NaNs are one. Null of no values.
     *
     * @param lgK 4 to 21; a group keeps at most 2^lgK bytes and one. 12 has an error of 1.6 %
     */
    public Aggregates<T> approxDistinct(int lgK) {
        return distinct(CellAggregate.Kind.APPROX_DISTINCT, lgK);
    }

    /**
     * What {@link #approxDistinct(int)} is made of, a {@code byte[]}: an image that {@code
     * HllSketch.heapify} of Apache DataSketches reads (type HLL_8), to be merged there with others. Null of
     * no values.
     */
    public Aggregates<T> distinctSketch(int lgK) {
        return distinct(CellAggregate.Kind.DISTINCT_SKETCH, lgK);
    }

    private Aggregates<T> distinct(CellAggregate.Kind kind, int lgK) {
        if (lgK < CellAggregate.LEAST_LG_K || lgK > CellAggregate.GREATEST_LG_K) {
            throw Errors.argument(
                    "a distinct count has 2^4 to 2^21 registers: lgK=%s; give 4 to 21, of which 12 has"
                            + " an error of 1.6 percent",
                    lgK);
        }
        return withLast(lastColumn().computing(new CellAggregate(kind, "", null, lgK), null));
    }

    /**
     * About the value that has a part of the others before it, a Double: of n values in order that with
     * floor(q (n - 1)) before it, with a relative error of 1 % at most (DDSketch). -0.0 is 0.0, NaN is the
     * greatest. Null of no values. Of numbers; a group keeps at most 12 bytes for each 2 % that its values
     * span.
     *
     * @param name of the result
     * @param quantile q, 0 to 1 with at most six decimals: 0.5 is the median
     */
    public Aggregates<T> approxQuantile(String name, double quantile) {
        Errors.present("name", name);
        int millionths = (int) Math.rint(quantile * CellAggregate.QUANTILE_UNITS);
        if (!(quantile >= 0 && quantile <= 1)
                || (double) millionths / CellAggregate.QUANTILE_UNITS != quantile) {
            throw Errors.argument(
                    "a quantile is from 0 to 1, with at most six decimals: result='%s', quantile=%s;"
                            + " give 0.5 for the median, 0.99 for what one value in a hundred exceeds",
                    name, quantile);
        }
        CellAggregate aggregate =
                new CellAggregate(CellAggregate.Kind.APPROX_QUANTILE, name, null, millionths);
        return withLast(lastColumn().computing(aggregate, null));
    }

    /** The value of the row with the least timestamp of those whose value is not null. */
    public Aggregates<T> first() {
        return compute(CellAggregate.Kind.FIRST);
    }

    /** The value of the row with the greatest timestamp of those whose value is not null. */
    public Aggregates<T> last() {
        return compute(CellAggregate.Kind.LAST);
    }

    /**
     * Another column, in the row where this one is least.
     *
     * @param name of the result
     * @param other may give null, which is the result then; the class goes with the type as in {@link
     *     #of(ValueGetter, ColumnType)}
     */
    public Aggregates<T> argMin(String name, ValueGetter<T, ?> other, ColumnType type) {
        return compute(CellAggregate.Kind.ARG_MIN, name, other, type, 0);
    }

    /**
     * Another field of lines, in the line where this one is least; a timestamp is a Long, epoch milliseconds.
     *
     * @param name of the result
     */
    public Aggregates<T> argMin(String name, String field) {
        return argMin(name, new FieldOfLine<>(field), FieldOfLine.ANY);
    }

    /** Another column, in the row where this one is greatest; as {@link #argMin}. */
    public Aggregates<T> argMax(String name, ValueGetter<T, ?> other, ColumnType type) {
        return compute(CellAggregate.Kind.ARG_MAX, name, other, type, 0);
    }

    /** Another field of lines, in the line where this one is greatest; as {@link #argMin(String, String)}. */
    public Aggregates<T> argMax(String name, String field) {
        return argMax(name, new FieldOfLine<>(field), FieldOfLine.ANY);
    }

    /**
     * A list of another column, in the rows where this one is greatest, these first; it may have nulls in
     * it.
     *
     * @param rows the most of them, 1 to 1000
     * @param name of the result
     */
    public Aggregates<T> top(int rows, String name, ValueGetter<T, ?> other, ColumnType type) {
        if (rows < 1 || rows > CellAggregate.MAX_LIMIT) {
            throw Errors.argument(
                    "the greatest rows are 1 to 1000: result='%s', rows=%s; give so many, or use"
                            + " Flink's own window operator for more",
                    name, rows);
        }
        return compute(CellAggregate.Kind.TOP, name, other, type, rows);
    }

    /** A list of another field of lines, as of another column. */
    public Aggregates<T> top(int rows, String name, String field) {
        return top(rows, name, new FieldOfLine<>(field), FieldOfLine.ANY);
    }

    /** The columns and what is computed of each, in order. */
    public List<ValueSpec> specs() {
        return columns.stream().map(AggregateColumn::spec).toList();
    }

    /**
     * What reads a column: an {@link IntGetter}, {@link LongGetter}, {@link FloatGetter}, {@link
     * DoubleGetter} or {@link ValueGetter}.
     */
    public Object getter(int column) {
        return columns.get(column).getter();
    }

    /**
     * What reads the other columns of a column's aggregates that keep a cell, one for each; null where
     * there is none. Not to be changed.
     */
    public List<ValueGetter<T, ?>> others(int column) {
        return columns.get(column).others();
    }

    /** Whether records need timestamps for it. */
    public boolean isByTime() {
        return specs().stream()
                .flatMap(spec -> spec.cells().stream())
                .anyMatch(CellAggregate::isByTime);
    }

    /** The field of lines that a column is; null if it has a getter. */
    public String field(int column) {
        return FieldOfLine.name(columns.get(column).getter());
    }

    /**
     * Likewise, of the other columns of a column's aggregates that keep a cell, one for each; null where it
     * has none, or a getter.
     */
    public List<String> otherFields(int column) {
        List<String> fields = new ArrayList<>();
        others(column).forEach(other -> fields.add(FieldOfLine.name(other)));
        return fields;
    }

    /**
     * With a getter and a type for each field.
     *
     * @throws IllegalArgumentException if what is computed of a field is not of its type
     */
    public Aggregates<T> withFields(
            Function<String, ValueGetter<T, ?>> getters, Function<String, ColumnType> types) {
        return new Aggregates<>(
                columns.stream().map(column -> column.withFields(getters, types)).toList());
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
            for (ColumnAggregate aggregate : spec.aggregates()) {
                String name = spec.resultName(aggregate);
                if (!names.add(name)) {
                    throw Errors.argument(
                            "two results must not have one name: result='%s'; %s",
                            name,
                            aggregate instanceof CellAggregate cell && !cell.name().isEmpty()
                                    ? "give this one another name where it is asked for"
                                    : "give the columns names with named(..)");
                }
            }
        }
        return this;
    }

    private Aggregates<T> compute(Aggregate aggregate) {
        return withLast(lastColumn().computing(aggregate));
    }

    private Aggregates<T> compute(CellAggregate.Kind kind) {
        return withLast(lastColumn().computing(new CellAggregate(kind, "", null, 0), null));
    }

    private Aggregates<T> compute(
            CellAggregate.Kind kind,
            String name,
            ValueGetter<T, ?> other,
            ColumnType type,
            int limit) {
        Errors.present("name", name);
        Errors.present("other", other);
        Errors.present("type", type);
        if (name.isEmpty()) {
            throw Errors.argument(
                    "a result of another column needs a name: aggregate=%s, name=''; name it after"
                            + " that column",
                    kind);
        }
        if (!type.isNumber() && type != ColumnType.TEXT) {
            throw type.refusedBy("another column of an aggregate");
        }
        return withLast(lastColumn().computing(new CellAggregate(kind, name, type, limit), other));
    }

    private AggregateColumn<T> lastColumn() {
        return columns.get(columns.size() - 1);
    }

    private Aggregates<T> with(Serializable getter, ColumnType type) {
        Errors.present("getter", getter);
        List<AggregateColumn<T>> more = new ArrayList<>(columns);
        more.add(AggregateColumn.of(getter, "", type));
        return new Aggregates<>(more);
    }

    private Aggregates<T> withLast(AggregateColumn<T> column) {
        List<AggregateColumn<T>> changed = new ArrayList<>(columns);
        changed.set(columns.size() - 1, column);
        return new Aggregates<>(changed);
    }
}
