package io.flinkgpu.sql.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Aggregations of SQL over the columns of {@link EventRows} or {@link EventLines}, as text. */
final class RandomAggregates {

    private final Random random;
    private final List<String> keys;
    private final List<String> numbers;
    private final List<String> ordered;
    private final List<String> any;
    private final List<String> filters;

    private RandomAggregates(
            Random random,
            List<String> keys,
            List<String> numbers,
            List<String> ordered,
            List<String> any,
            List<String> filters) {
        this.random = random;
        this.keys = keys;
        this.numbers = numbers;
        this.ordered = ordered;
        this.any = any;
        this.filters = filters;
    }

    /** Of {@link EventRows}. */
    RandomAggregates(Random random) {
        this(
                random,
                List.of("k", "k2", "k3", "k4", "k5", "k6", "b", "c"),
                List.of("ti", "si", "i", "l", "n", "de", "d18"),
                List.of("dt", "tm", "t3"),
                List.of("k", "d30", "d", "f", "b", "k6"),
                List.of("b", "i > 3", "c"));
    }

    /** Of {@link EventLines}. */
    static RandomAggregates ofLines(Random random) {
        return new RandomAggregates(
                random,
                List.of("k", "k2", "k3", "l", "de", "t3"),
                List.of("k2", "l", "de", "d18", "k3"),
                List.of("t3"),
                List.of("k", "d", "k2", "de"),
                List.of("k = 'a'", "k2 > 3", "de IS NOT NULL"));
    }

    /** Some keys, each once; perhaps none. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            String key = any(this.keys);
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Some aggregates. */
    List<String> aggregates() {
        List<String> aggregates = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            aggregates.add(aggregate() + filter() + " AS r" + i);
        }
        return aggregates;
    }

    private String aggregate() {
        return switch (random.nextInt(6)) {
            case 0 -> "COUNT(*)";
            case 1 -> "COUNT(" + any(random.nextBoolean() ? any : numbers) + ")";
            case 2 -> "SUM(" + any(numbers) + ")";
            case 3 -> "AVG(" + any(numbers) + ")";
            case 4 -> "MIN(" + any(random.nextInt(3) == 0 ? ordered : numbers) + ")";
            default -> "MAX(" + any(random.nextInt(3) == 0 ? ordered : numbers) + ")";
        };
    }

    private String filter() {
        int filter = random.nextInt(2 * filters.size());
        return filter < filters.size() ? " FILTER (WHERE " + filters.get(filter) + ")" : "";
    }

    /** A windowing function over a table of events. */
    String window(String table) {
        return "TABLE("
                + switch (random.nextInt(4)) {
                    case 0 ->
                            "TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
                                    .formatted(table);
                    case 1 ->
                            "HOP(TABLE %s, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)"
                                    .formatted(table);
                    case 2 ->
                            "CUMULATE(TABLE %s, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20'"
                                            .formatted(table)
                                    + " SECOND)";
                    default ->
                            "TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '1' DAY)".formatted(table);
                }
                + ")";
    }

    /** A query of windows. */
    String windowQuery(String table) {
        List<String> groups = new ArrayList<>(keys());
        groups.add("window_start");
        groups.add("window_end");
        List<String> columns = new ArrayList<>(groups);
        if (random.nextInt(10) > 0) {
            columns.addAll(aggregates());
        }
        return "SELECT %s FROM %s GROUP BY %s"
                .formatted(String.join(", ", columns), window(table), String.join(", ", groups));
    }

    /** A query of windows over the results of the same windows, which have no time of their own. */
    String windowOfWindowsQuery(String table) {
        return ("SELECT window_start, window_end, COUNT(*) AS r0, MAX(r) AS r1, SUM(s) AS r2 FROM (SELECT k2,"
                        + " window_start, window_end, COUNT(*) AS r, SUM(n) AS s FROM %s GROUP BY k2,"
                        + " window_start, window_end) GROUP BY window_start, window_end")
                .formatted(window(table));
    }

    /** A query of groups. */
    String groupQuery(String table) {
        List<String> groups = keys();
        List<String> columns = new ArrayList<>(groups);
        columns.addAll(aggregates());
        return "SELECT %s FROM %s%s"
                .formatted(
                        String.join(", ", columns),
                        table,
                        groups.isEmpty() ? "" : " GROUP BY " + String.join(", ", groups));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
