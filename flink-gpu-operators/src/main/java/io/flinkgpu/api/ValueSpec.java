package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A column of numbers or texts and what is computed of it.
 *
 * @param name empty for the only column of an aggregation that has no name
 * @param aggregates in the order of the results; not empty, no duplicates
 */
@PublicEvolving
public record ValueSpec(String name, ColumnType type, List<? extends ColumnAggregate> aggregates)
        implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final int LEAST_MEAN_SCALE = 6;

    public ValueSpec {
        Errors.present("name", name);
        Errors.present("type", type);
        aggregates = List.copyOf(aggregates);
        if (!type.isNumber() && type != ColumnType.TEXT) {
            throw refused(type);
        }
        for (ColumnAggregate aggregate : aggregates) {
            if (aggregate instanceof Aggregate
                    && aggregate != Aggregate.COUNT
                    && !type.isNumber()) {
                throw refused(type);
            }
        }
    }

    /** Those that keep a cell, in the order of the results. */
    public List<CellAggregate> cells() {
        List<CellAggregate> cells = new ArrayList<>();
        for (ColumnAggregate aggregate : aggregates) {
            if (aggregate instanceof CellAggregate cell) {
                cells.add(cell);
            }
        }
        return cells;
    }

    /** Whether a sum has to be kept. */
    public boolean needsSum() {
        return aggregates.contains(Aggregate.SUM)
                || aggregates.contains(Aggregate.MEAN)
                || needsSquares();
    }

    /** Whether a sum of squares has to be kept, beside the sum. */
    public boolean needsSquares() {
        return aggregates.stream()
                .anyMatch(
                        aggregate ->
                                aggregate instanceof Aggregate ofNumbers
                                        && ofNumbers.isOfSquares());
    }

    /** Whether the least and the greatest value have to be kept. */
    public boolean needsMinMax() {
        return aggregates.contains(Aggregate.MIN) || aggregates.contains(Aggregate.MAX);
    }

    /** The class of a result, as {@link Aggregate} lists it. */
    public Class<?> resultClass(Aggregate aggregate) {
        if (aggregate == Aggregate.COUNT) {
            return Long.class;
        }
        if (aggregate.isOfSquares()) {
            return Double.class;
        }
        boolean extreme = aggregate == Aggregate.MIN || aggregate == Aggregate.MAX;
        boolean sum = aggregate == Aggregate.SUM;
        return switch (type.kind()) {
            case INT -> extreme ? Integer.class : sum ? Long.class : Double.class;
            case LONG -> extreme || sum ? Long.class : Double.class;
            case FLOAT -> extreme ? Float.class : Double.class;
            case DOUBLE -> Double.class;
            case DECIMAL -> BigDecimal.class;
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR -> throw refused(type);
        };
    }

    private static IllegalArgumentException refused(ColumnType type) {
        return type.refusedBy("a value that is aggregated");
    }

    /** Digits behind the point of a result that is a decimal. */
    public int resultScale(Aggregate aggregate) {
        return aggregate == Aggregate.MEAN
                ? Math.max(type.scale(), LEAST_MEAN_SCALE)
                : type.scale();
    }

    /** The column in messages: its name, or its index if it has none. */
    public String label(int column) {
        return name.isEmpty() ? "column=" + column : "column='" + name + "'";
    }

    /**
     * The name of a result: its own, else {@code "min"}, or {@code "temperature_min"} if the column has a
     * name.
     */
    public String resultName(ColumnAggregate aggregate) {
        String suffix;
        if (aggregate instanceof CellAggregate cell) {
            if (!cell.name().isEmpty()) {
                return cell.name();
            }
            suffix = cell.kind().name().toLowerCase(Locale.ROOT);
        } else {
            suffix = ((Aggregate) aggregate).name().toLowerCase(Locale.ROOT);
        }
        return name.isEmpty() ? suffix : name + "_" + suffix;
    }
}
