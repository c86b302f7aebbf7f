package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
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

    public ResultSchema(List<ValueSpec> specs) {
        this.specs = List.copyOf(specs);
        for (ValueSpec spec : specs) {
            for (Aggregate aggregate : spec.aggregates()) {
                indexes.put(spec.resultName(aggregate), results.size());
                results.add(new Result(spec, aggregate));
            }
        }
    }

    public List<ValueSpec> specs() {
        return specs;
    }

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
                    "there is no such result: name='%s'; there are %s",
                    name, results.stream().map(Result::name).toList());
        }
        return index;
    }

    /** The class of a result, as {@link Aggregate} lists it. */
    Class<?> resultClass(int index) {
        return results.get(index).type;
    }

    /** Digits after the point of a result that is a decimal. */
    int scale(int index) {
        return results.get(index).scale;
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

    private record Result(String name, Class<?> type, int scale) implements Serializable {

        private static final long serialVersionUID = 1L;

        Result(ValueSpec spec, Aggregate aggregate) {
            this(
                    spec.resultName(aggregate),
                    spec.resultClass(aggregate),
                    spec.resultScale(aggregate));
        }
    }
}
