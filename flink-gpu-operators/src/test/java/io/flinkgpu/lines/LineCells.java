package io.flinkgpu.lines;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;

import org.apache.flink.types.Row;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Aggregates of trades that keep cells, and numbers beside them: by field, and of rows by getter. */
record LineCells(List<Part> parts) {

    private static final String[] NUMBERS = {"number", "ratio", "price"};
    private static final String[] OTHERS = {"number", "ratio", "price", "key", "time"};

    /**
     * A column of its own.
     *
     * @param kind null for a number's sum and extremes
     */
    record Part(Kind kind, String field, String other, int limit, boolean counted) {}

    /**
     * @param byTime whether lines have times
     */
    static LineCells random(Random random, boolean byTime) {
        List<Part> parts = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        parts.add(new Part(null, "key", null, 0, true));
        for (int i = 0; i < count; i++) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            boolean isByTime = kind == Kind.FIRST || kind == Kind.LAST;
            boolean ofText =
                    kind == Kind.MIN
                            || kind == Kind.MAX
                            || kind != Kind.APPROX_QUANTILE && random.nextInt(4) == 0;
            parts.add(
                    new Part(
                            isByTime && !byTime || random.nextInt(5) == 0 ? null : kind,
                            ofText ? "key" : NUMBERS[random.nextInt(NUMBERS.length)],
                            OTHERS[random.nextInt(OTHERS.length)],
                            1 + random.nextInt(5),
                            random.nextBoolean()));
        }
        return new LineCells(parts);
    }

    Aggregates<Row> byField() {
        Aggregates<Row> all = null;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            Aggregates<Row> column =
                    all == null ? Aggregates.ofField(part.field) : all.andField(part.field);
            all = with(column.named("c" + i), part, "r" + i, true);
        }
        return all;
    }

    Aggregates<Row> byGetter() {
        Aggregates<Row> all = null;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            String field = part.field;
            Aggregates<Row> column =
                    all == null
                            ? Aggregates.of((Row row) -> row.getField(field), type(field))
                            : all.and((Row row) -> row.getField(field), type(field));
            all = with(column.named("c" + i), part, "r" + i, false);
        }
        return all;
    }

    private static Aggregates<Row> with(
            Aggregates<Row> column, Part part, String result, boolean byField) {
        Aggregates<Row> of = computed(column, part, result, byField);
        return part.counted ? of.count() : of;
    }

    private static Aggregates<Row> computed(
            Aggregates<Row> column, Part part, String result, boolean byField) {
        if (part.kind == null) {
            return part.field.equals("key") ? column.max() : column.min().sum().max();
        }
        String other = part.other;
        ColumnType type = type(other);
        return switch (part.kind) {
            case MIN -> column.min();
            case MAX -> column.max();
            case FIRST -> column.first();
            case LAST -> column.last();
            case ARG_MIN ->
                    byField
                            ? column.argMin(result, other)
                            : column.argMin(result, row -> row.getField(other), type);
            case ARG_MAX ->
                    byField
                            ? column.argMax(result, other)
                            : column.argMax(result, row -> row.getField(other), type);
            case TOP ->
                    byField
                            ? column.top(part.limit, result, other)
                            : column.top(part.limit, result, row -> row.getField(other), type);
            case APPROX_DISTINCT -> column.approxDistinct(4 + part.limit);
            case DISTINCT_SKETCH -> column.distinctSketch(4 + part.limit);
            case APPROX_QUANTILE -> column.approxQuantile(result, part.limit / 8.0);
        };
    }

    private static ColumnType type(String name) {
        Field field = Trades.FORMAT.fields().get(Trades.FORMAT.indexOf(name));
        return field.format() == FieldFormat.STRING ? ColumnType.TEXT : field.valueType();
    }
}
