package io.flinkgpu.windows;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.CellAggregate;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What is computed of which columns: for the API, and by hand from the rows of a window. */
record Query(List<Part> parts, List<CellPart> cells) implements Serializable {

    private static final long serialVersionUID = 1L;

    record Part(Column column, List<Aggregate> aggregates) implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    Query(List<Part> parts) {
        this(parts, List.of());
    }

    static Query all(Column... columns) {
        return of(List.of(Aggregate.values()), columns);
    }

    /** Those that savepoints of commit 585684f have. */
    static Query ofBefore(Column... columns) {
        return of(
                List.of(
                        Aggregate.MIN,
                        Aggregate.MEAN,
                        Aggregate.MAX,
                        Aggregate.SUM,
                        Aggregate.COUNT),
                columns);
    }

    /** Those that savepoints of commit 7c61f22 have, with cells. */
    static Query ofCells(Column... columns) {
        return new Query(
                of(
                                List.of(
                                        Aggregate.MIN,
                                        Aggregate.MEAN,
                                        Aggregate.MAX,
                                        Aggregate.VARIANCE),
                                columns)
                        .parts(),
                List.of(
                        new CellPart(CellAggregate.Kind.MAX, null, null, 0),
                        new CellPart(CellAggregate.Kind.TOP, columns[0], null, 3),
                        new CellPart(CellAggregate.Kind.APPROX_DISTINCT, columns[0], null, 12),
                        new CellPart(
                                CellAggregate.Kind.APPROX_QUANTILE, columns[0], null, 500_000)));
    }

    private static Query of(List<Aggregate> aggregates, Column... columns) {
        return new Query(
                Arrays.stream(columns).map(column -> new Part(column, aggregates)).toList());
    }

    /**
     * @param byTime whether all rows have timestamps
     */
    static Query random(Random random, boolean byTime) {
        int cells = random.nextBoolean() ? 0 : 1 + random.nextInt(3);
        return new Query(
                randomParts(random),
                Stream.generate(() -> CellPart.random(random, byTime)).limit(cells).toList());
    }

    private static List<Part> randomParts(Random random) {
        List<Column> columns = new ArrayList<>(List.of(Column.values()));
        Collections.shuffle(columns, random);
        return columns.subList(0, 1 + random.nextInt(4)).stream()
                .map(
                        column -> {
                            List<Aggregate> aggregates =
                                    new ArrayList<>(List.of(Aggregate.values()));
                            Collections.shuffle(aggregates, random);
                            int used = 1 + random.nextInt(aggregates.size());
                            return new Part(column, List.copyOf(aggregates.subList(0, used)));
                        })
                .toList();
    }

    Aggregates<Reading> aggregates() {
        Aggregates<Reading> aggregates = null;
        for (Part part : parts) {
            aggregates = part.column.declare(aggregates).named(part.column.name());
            for (Aggregate aggregate : part.aggregates) {
                aggregates =
                        switch (aggregate) {
                            case MIN -> aggregates.min();
                            case MEAN -> aggregates.mean();
                            case MAX -> aggregates.max();
                            case SUM -> aggregates.sum();
                            case COUNT -> aggregates.count();
                            case VARIANCE -> aggregates.variance();
                            case STANDARD_DEVIATION -> aggregates.standardDeviation();
                            case POPULATION_VARIANCE -> aggregates.populationVariance();
                            case POPULATION_STANDARD_DEVIATION ->
                                    aggregates.populationStandardDeviation();
                        };
            }
        }
        for (int i = 0; i < cells.size(); i++) {
            aggregates = cells.get(i).declare(aggregates, "cell" + i);
        }
        return aggregates;
    }

    boolean reads(Column column) {
        return parts.stream().anyMatch(part -> part.column == column)
                || cells.stream().anyMatch(cell -> cell.reads(column));
    }

    /** Whether rows need timestamps. */
    boolean isByTime() {
        return cells.stream().anyMatch(cell -> CellPart.isByTime(cell.kind()));
    }

    /** The results of these rows as text. */
    String results(List<Reading> rows) {
        Stream<Object> ofParts =
                parts.stream()
                        .flatMap(
                                part -> {
                                    List<Number> values =
                                            rows.stream()
                                                    .map(part.column::value)
                                                    .filter(value -> value != null)
                                                    .toList();
                                    return part.aggregates.stream()
                                            .map(
                                                    aggregate ->
                                                            result(part.column, aggregate, values));
                                });
        return Stream.concat(ofParts, cells.stream().flatMap(cell -> cell.results(rows).stream()))
                .map(Exactly::text)
                .collect(Collectors.joining(", "));
    }

    static String text(AggregateValues values) {
        return IntStream.range(0, values.size())
                .mapToObj(values::get)
                .map(Exactly::text)
                .collect(Collectors.joining(", "));
    }

    private static Object result(Column column, Aggregate aggregate, List<Number> values) {
        if (aggregate == Aggregate.COUNT) {
            return (long) values.size();
        }
        if (values.isEmpty()) {
            return null;
        }
        if (isSpread(aggregate)) {
            return spread(aggregate, values);
        }
        return switch (column.type().kind()) {
            case INT, LONG -> ofIntegers(column, aggregate, values);
            case FLOAT, DOUBLE -> ofFloating(column, aggregate, values);
            case DECIMAL -> ofDecimals(column.type().scale(), aggregate, values);
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR ->
                    throw column.type().refusedBy("a value");
        };
    }

    private static boolean isSpread(Aggregate aggregate) {
        return switch (aggregate) {
            case MIN, MEAN, MAX, SUM, COUNT -> false;
            case VARIANCE, STANDARD_DEVIATION, POPULATION_VARIANCE, POPULATION_STANDARD_DEVIATION ->
                    true;
        };
    }

    private static Double spread(Aggregate aggregate, List<Number> values) {
        boolean ofSample =
                aggregate == Aggregate.VARIANCE || aggregate == Aggregate.STANDARD_DEVIATION;
        boolean root =
                aggregate == Aggregate.STANDARD_DEVIATION
                        || aggregate == Aggregate.POPULATION_STANDARD_DEVIATION;
        if (ofSample && values.size() == 1) {
            return null;
        }
        List<BigDecimal> numbers = new ArrayList<>();
        for (Number value : values) {
            if (value instanceof BigDecimal decimal) {
                numbers.add(decimal);
            } else if (value instanceof Float || value instanceof Double) {
                if (!Double.isFinite(value.doubleValue())) {
                    return Double.NaN;
                }
                numbers.add(new BigDecimal(value.doubleValue()));
            } else {
                numbers.add(BigDecimal.valueOf(value.longValue()));
            }
        }
        return Exactly.spread(numbers, ofSample, root);
    }

    private static Object ofIntegers(Column column, Aggregate aggregate, List<Number> values) {
        BigDecimal sum = BigDecimal.ZERO;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (Number value : values) {
            sum = sum.add(BigDecimal.valueOf(value.longValue()));
            min = Math.min(min, value.longValue());
            max = Math.max(max, value.longValue());
        }
        boolean ints = values.get(0) instanceof Integer;
        return switch (aggregate) {
            case MIN -> ints ? (Object) (int) min : (Object) min;
            case MAX -> ints ? (Object) (int) max : (Object) max;
            case SUM -> sum.longValueExact();
            case MEAN -> Exactly.quotient(sum, values.size());
            case COUNT,
                    VARIANCE,
                    STANDARD_DEVIATION,
                    POPULATION_VARIANCE,
                    POPULATION_STANDARD_DEVIATION ->
                    throw new IllegalArgumentException(aggregate.name());
        };
    }

    private static Object ofFloating(Column column, Aggregate aggregate, List<Number> values) {
        Number min = values.get(0);
        Number max = values.get(0);
        BigDecimal sum = BigDecimal.ZERO;
        double specials = 0;
        for (Number value : values) {
            double number = value.doubleValue();
            min = Double.compare(number, min.doubleValue()) < 0 ? value : min;
            max = Double.compare(number, max.doubleValue()) > 0 ? value : max;
            if (Double.isFinite(number)) {
                sum = sum.add(new BigDecimal(number));
            } else {
                specials += number;
            }
        }
        return switch (aggregate) {
            case MIN -> min;
            case MAX -> max;
            case SUM -> specials != 0 ? specials : Exactly.quotient(sum, 1);
            case MEAN -> specials != 0 ? specials : Exactly.quotient(sum, values.size());
            case COUNT,
                    VARIANCE,
                    STANDARD_DEVIATION,
                    POPULATION_VARIANCE,
                    POPULATION_STANDARD_DEVIATION ->
                    throw new IllegalArgumentException(aggregate.name());
        };
    }

    private static Object ofDecimals(int scale, Aggregate aggregate, List<Number> values) {
        List<BigDecimal> decimals =
                values.stream().map(value -> ((BigDecimal) value).setScale(scale)).toList();
        BigDecimal sum = decimals.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        return switch (aggregate) {
            case MIN -> Collections.min(decimals);
            case MAX -> Collections.max(decimals);
            case SUM -> sum.setScale(scale);
            case MEAN ->
                    sum.divide(
                            BigDecimal.valueOf(values.size()),
                            Math.max(scale, 6),
                            RoundingMode.HALF_UP);
            case COUNT,
                    VARIANCE,
                    STANDARD_DEVIATION,
                    POPULATION_VARIANCE,
                    POPULATION_STANDARD_DEVIATION ->
                    throw new IllegalArgumentException(aggregate.name());
        };
    }
}
