package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;

/**
 * What the results of an aggregation are called, in order. Made once and shared by all of them.
 * Immutable.
 */
@PublicEvolving
public final class ResultSchema implements Serializable {

    private static final long serialVersionUID = 1L;

    private final List<ValueSpec> specs;
    private final ArrayList<Result> results = new ArrayList<>();
    private final HashMap<String, Integer> indexes = new HashMap<>();

    /** A schema of results in an order; their names differ. */
    public ResultSchema(List<ValueSpec> specs) {
        this.specs = List.copyOf(Errors.present("specs", specs));
        for (ValueSpec spec : specs) {
            for (ColumnAggregate aggregate : spec.aggregates()) {
                indexes.put(spec.resultName(aggregate), results.size());
                results.add(Result.of(spec, aggregate));
            }
        }
    }

    /** The results, in order. */
    public List<ValueSpec> specs() {
        return specs;
    }

    /** How many results there are. */
    public int size() {
        return results.size();
    }

    /** The name of a result, for example {@code "temperature_min"}. */
    public String name(int index) {
        return results.get(index).name;
    }

    /**
     * The index of a name.
     *
     * @throws IllegalArgumentException if there is none, with the names there are
     */
    public int index(String name) {
        Integer index = indexes.get(name);
        if (index == null) {
            throw Errors.argument(
                    "there is no such result: name='%s'; there are %s", name, names());
        }
        return index;
    }

    /** The names of all results. */
    List<String> names() {
        return results.stream().map(Result::name).toList();
    }

    /** What a result is. */
    Result result(int index) {
        return results.get(index);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResultSchema that && specs.equals(that.specs);
    }

    @Override
    public int hashCode() {
        return Objects.hash(specs);
    }

    @Override
    public String toString() {
        return specs.toString();
    }

    /**
     * A result's name and class.
     *
     * @param element the class of its elements, if it is a list; else null
     * @param scale digits after the point of it, or of an element, if that is a decimal
     */
    record Result(String name, Class<?> type, Class<?> element, int scale) implements Serializable {

        private static final long serialVersionUID = 1L;

        static Result of(ValueSpec spec, ColumnAggregate aggregate) {
            String name = spec.resultName(aggregate);
            if (aggregate instanceof CellAggregate cell) {
                ColumnType type = cell.resultType(spec.type());
                return type.element() == null
                        ? new Result(name, classOf(type), null, type.scale())
                        : new Result(
                                name, List.class, classOf(type.element()), type.element().scale());
            }
            Aggregate ofNumbers = (Aggregate) aggregate;
            return new Result(name, spec.resultClass(ofNumbers), null, spec.resultScale(ofNumbers));
        }

        private static Class<?> classOf(ColumnType type) {
            return switch (type.kind()) {
                case TEXT -> String.class;
                case INT -> Integer.class;
                case LONG -> Long.class;
                case FLOAT -> Float.class;
                case DOUBLE -> Double.class;
                case DECIMAL -> BigDecimal.class;
                case BYTES -> byte[].class;
                case BOOLEAN, TIMESTAMP, LIST, VECTOR -> throw type.refusedBy("a result");
            };
        }
    }
}
