package io.flinkgpu.lines;

import io.flinkgpu.ExactAggregate;
import io.flinkgpu.ResultText;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.state.Partial;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.types.Row;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Lines of made-up trades, their rows, and the windows that these make. */
final class Trades {

    static final Delimited FORMAT =
            Delimited.of(',')
                    .string("key")
                    .epochMillis("time")
                    .skipped()
                    .longNumber("number")
                    .doubleNumber("ratio")
                    .decimal("price", 12, 2);

    /** By the names of fields. */
    static final Aggregates<Row> BY_FIELD =
            Aggregates.ofField("number")
                    .min()
                    .max()
                    .sum()
                    .count()
                    .andField("ratio")
                    .mean()
                    .sum()
                    .andField("price")
                    .mean();

    /** The same of rows. */
    static final Aggregates<Row> BY_GETTER =
            Aggregates.of((Row row) -> row.<Long>getFieldAs("number"), ColumnType.LONG)
                    .named("number")
                    .min()
                    .max()
                    .sum()
                    .count()
                    .and((Row row) -> row.<Double>getFieldAs("ratio"), ColumnType.DOUBLE)
                    .named("ratio")
                    .mean()
                    .sum()
                    .and(
                            (Row row) -> row.<BigDecimal>getFieldAs("price"),
                            ColumnType.decimal(12, 2))
                    .named("price")
                    .mean();

    private static final String[] KEYS = {"a", "bb", "Zürich", "名", "", "k", "b"};

    private Trades() {}

    /**
     * A row for each line, a second for each ten, at most 300 ms out of order.
     *
     * @param latePercent lines in a hundred that are 1 to 20 s older
     */
    static List<Row> rows(int count, int latePercent, long seed) {
        Random random = new Random(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long time = 100L * i - random.nextInt(300);
            if (random.nextInt(100) < latePercent) {
                time -= 1_000 + random.nextInt(19_000);
            }
            Row row = Row.withNames();
            row.setField("key", KEYS[random.nextInt(KEYS.length)]);
            row.setField("time", time);
            row.setField("number", random.nextInt(9) == 0 ? null : random.nextLong() >> 20);
            row.setField("ratio", random.nextInt(9) == 0 ? null : random.nextGaussian() * 1e9);
            row.setField(
                    "price",
                    random.nextInt(9) == 0 ? null : BigDecimal.valueOf(random.nextInt(), 2));
            rows.add(row);
        }
        return rows;
    }

    /** A row as a line without its end. */
    static String line(Row row) {
        return "%s,%s,skipped,%s,%s,%s"
                .formatted(
                        row.getField("key"),
                        row.getField("time"),
                        shown(row.getField("number")),
                        shown(row.getField("ratio")),
                        row.getField("price") == null
                                ? ""
                                : row.<BigDecimal>getFieldAs("price").toPlainString());
    }

    private static String shown(Object number) {
        return number == null ? "" : number.toString();
    }

    /** What all windows of rows have at the end, by key and window. */
    static Map<String, String> windows(
            Collection<Row> rows, Function<Long, Collection<TimeWindow>> assigner) {
        ExactAggregate<Row> exact = new ExactAggregate<>(BY_GETTER);
        record Place(String key, TimeWindow window) {}
        Map<Place, Partial> partials = new java.util.HashMap<>();
        for (Row row : rows) {
            for (TimeWindow window : assigner.apply(row.getFieldAs("time"))) {
                Place place = new Place(row.getFieldAs("key"), window);
                exact.add(row, partials.computeIfAbsent(place, p -> exact.createAccumulator()));
            }
        }
        Map<String, String> results = new TreeMap<>();
        partials.forEach(
                (place, partial) -> {
                    AggregateValues values = exact.getResult(partial);
                    WindowResult<String> result =
                            new WindowResult<>(
                                    place.key,
                                    place.window.getStart(),
                                    place.window.getEnd(),
                                    values);
                    results.put(name(result), ResultText.of(result));
                });
        return results;
    }

    /** Key and window. */
    static String name(WindowResult<String> result) {
        return result.key() + " " + result.startMillis() + " " + result.endMillis();
    }
}
