package io.flinkgpu.windows;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.cells.QuantileBuckets;
import io.flinkgpu.cells.QuantileSketch;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * An aggregate that keeps a cell, of a column of its own: for the API, and by hand from the rows of a
 * window. After it the column's values are counted.
 *
 * @param order what it is asked of; null is the text of a reading
 * @param other what is asked for where there is another column, likewise
 * @param limit of TOP
 */
record CellPart(Kind kind, Column order, Column other, int limit) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** In the order of code points, which is not that of chars. */
    private static final String[] TEXTS = {
        "", "a", "ab", "b", "\u00e9", "\uff5e", "\ud83d\ude00", "z".repeat(300)
    };

    private static final Comparator<Object> NULLS_LAST =
            Comparator.nullsLast(CellPart::compareValues);

    /**
     * @param byTime whether all rows have timestamps
     */
    static CellPart random(Random random, boolean byTime) {
        Kind[] kinds = Kind.values();
        Kind kind;
        do {
            kind = kinds[random.nextInt(kinds.length)];
        } while (!byTime && isByTime(kind));
        boolean ofText = kind == Kind.MIN || kind == Kind.MAX;
        return new CellPart(
                kind,
                ofText
                        ? null
                        : kind == Kind.APPROX_QUANTILE
                                ? Column.values()[random.nextInt(Column.values().length)]
                                : column(random),
                hasOther(kind) ? column(random) : null,
                kind == Kind.TOP
                        ? 1 + random.nextInt(5)
                        : isDistinct(kind)
                                ? 12
                                : kind == Kind.APPROX_QUANTILE ? random.nextInt(1_000_001) : 0);
    }

    private static Column column(Random random) {
        return random.nextInt(3) == 0
                ? null
                : Column.values()[random.nextInt(Column.values().length)];
    }

    private static boolean hasOther(Kind kind) {
        return kind == Kind.ARG_MIN || kind == Kind.ARG_MAX || kind == Kind.TOP;
    }

    private static boolean isDistinct(Kind kind) {
        return kind == Kind.APPROX_DISTINCT || kind == Kind.DISTINCT_SKETCH;
    }

    static boolean isByTime(Kind kind) {
        return kind == Kind.FIRST || kind == Kind.LAST;
    }

    boolean reads(Column column) {
        return order == column || hasOther(kind) && other == column;
    }

    Aggregates<Reading> declare(Aggregates<Reading> before, String name) {
        Column of = order;
        Column asked = other;
        Aggregates<Reading> column =
                (before == null
                                ? Aggregates.of((Reading r) -> value(of, r), type(order))
                                : before.and((Reading r) -> value(of, r), type(order)))
                        .named(name);
        String result = name + " of the other";
        return (switch (kind) {
                    case MIN -> column.min();
                    case MAX -> column.max();
                    case FIRST -> column.first();
                    case LAST -> column.last();
                    case ARG_MIN -> column.argMin(result, r -> value(asked, r), type(other));
                    case ARG_MAX -> column.argMax(result, r -> value(asked, r), type(other));
                    case APPROX_DISTINCT -> column.approxDistinct(limit);
                    case DISTINCT_SKETCH -> column.distinctSketch(limit);
                    case APPROX_QUANTILE -> column.approxQuantile(result, limit / 1e6);
                    case TOP -> column.top(limit, result, r -> value(asked, r), type(other));
                })
                .count();
    }

    /** The result, and the number of values. */
    List<Object> results(List<Reading> rows) {
        List<Reading> present = new ArrayList<>();
        for (Reading row : rows) {
            if (value(order, row) != null) {
                present.add(row);
            }
        }
        present.sort(bestFirst().thenComparing(row -> asked(row), NULLS_LAST));
        Object result =
                present.isEmpty()
                        ? null
                        : isDistinct(kind)
                                ? distinct(present)
                                : kind == Kind.APPROX_QUANTILE
                                        ? quantile(present)
                                        : kind == Kind.TOP
                                                ? present.stream()
                                                        .limit(limit)
                                                        .map(this::asked)
                                                        .toList()
                                                : asked(present.get(0));
        return Arrays.asList(result, (long) present.size());
    }

    /** What stands for the exact one. */
    private double quantile(List<Reading> present) {
        Reading exact = present.get((int) (limit / 1e6 * (present.size() - 1)));
        QuantileBuckets buckets = new QuantileBuckets(QuantileSketch.DEFAULT_ERROR);
        return buckets.value(buckets.bucket(((Number) asked(exact)).doubleValue()));
    }

    /** So few that each is counted. */
    private long distinct(List<Reading> present) {
        return present.stream()
                .map(row -> value(order, row))
                .map(
                        value ->
                                value instanceof Double || value instanceof Float
                                        ? (Object) (((Number) value).doubleValue() + 0.0)
                                        : value instanceof BigDecimal decimal
                                                ? decimal.setScale(type(order).scale())
                                                : value)
                .distinct()
                .count();
    }

    /** By what orders them alone. */
    private Comparator<Reading> bestFirst() {
        Comparator<Reading> ascending =
                isByTime(kind)
                        ? Comparator.comparingLong(row -> row.time)
                        : (a, b) -> compareValues(value(order, a), value(order, b));
        return switch (kind) {
            case MIN, FIRST, ARG_MIN, APPROX_DISTINCT, DISTINCT_SKETCH, APPROX_QUANTILE ->
                    ascending;
            case MAX, LAST, ARG_MAX, TOP -> ascending.reversed();
        };
    }

    private Object asked(Reading row) {
        Column column = hasOther(kind) ? other : order;
        Object value = value(column, row);
        return value instanceof BigDecimal decimal ? decimal.setScale(type(column).scale()) : value;
    }

    @SuppressWarnings("unchecked") // Values of one column are of one class.
    private static int compareValues(Object a, Object b) {
        return a instanceof String text
                ? Arrays.compareUnsigned(
                        text.getBytes(StandardCharsets.UTF_8),
                        ((String) b).getBytes(StandardCharsets.UTF_8))
                : ((Comparable<Object>) a).compareTo(b);
    }

    private static ColumnType type(Column column) {
        return column == null ? ColumnType.TEXT : column.type();
    }

    private static Object value(Column column, Reading reading) {
        return column == null ? text(reading) : column.value(reading);
    }

    /** A text that many readings share. */
    private static String text(Reading reading) {
        return reading.realOrNull == null
                ? null
                : TEXTS[Math.floorMod(reading.whole, TEXTS.length)];
    }
}
