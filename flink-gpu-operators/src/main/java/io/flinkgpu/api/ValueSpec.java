package io.flinkgpu.api;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A column of numbers and what is computed of it.
 *
 * @param name empty for the only column of an aggregation that has no name
 * @param aggregates in the order of the results; not empty, no duplicates
 */
public record ValueSpec(String name, ValueType type, List<Aggregate> aggregates)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public ValueSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        aggregates = List.copyOf(aggregates);
    }

    /** Whether a sum has to be kept. */
    public boolean needsSum() {
        return aggregates.contains(Aggregate.SUM) || aggregates.contains(Aggregate.MEAN);
    }

    /** Whether the least and the greatest value have to be kept. */
    public boolean needsMinMax() {
        return aggregates.contains(Aggregate.MIN) || aggregates.contains(Aggregate.MAX);
    }

    /** The name of a result: {@code "min"}, or {@code "temperature_min"} if the column has a name. */
    public String resultName(Aggregate aggregate) {
        String suffix = aggregate.name().toLowerCase(Locale.ROOT);
        return name.isEmpty() ? suffix : name + "_" + suffix;
    }
}
