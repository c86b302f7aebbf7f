package io.flinkgpu.cells;

import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.CellAggregate.Kind;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random rows, grouped and ordered at random: the same bytes each time, and what sorting all of them gives.
 *
 * <p>Covers: CellFunction, Entries.
 */
class CellFunctionTest {

    private static final long SEED = Long.getLong("cells.seed", System.nanoTime());

    private static final ColumnType[] TYPES = {
        ColumnType.TEXT,
        ColumnType.INT,
        ColumnType.LONG,
        ColumnType.FLOAT,
        ColumnType.DOUBLE,
        ColumnType.decimal(9, 2)
    };

    /** The last two are in the other order by chars. */
    private static final String[] TEXTS = {
        "", "a", "ab", "b", "x".repeat(99), "\uff5e", "\ud83d\ude00"
    };

    /** Columns of a row of values, after the value itself. */
    private static final int CELL = 1;

    private static final int OTHER = 2;

    private record Row(Object value, Object other, long time) {}

    @ParameterizedTest
    @EnumSource(Kind.class)
    void dependsOnTheRowsAlone(Kind kind) {
        for (int run = 0; run < 200; run++) {
            Random random = new Random(SEED + 31L * run + kind.ordinal());
            ColumnType type =
                    kind == Kind.MIN || kind == Kind.MAX
                            ? TYPES[0]
                            : kind == Kind.APPROX_QUANTILE
                                    ? TYPES[1 + random.nextInt(TYPES.length - 1)]
                                    : any(random);
            boolean isQuantile = kind == Kind.APPROX_QUANTILE;
            boolean hasOther = kind == Kind.ARG_MIN || kind == Kind.ARG_MAX || kind == Kind.TOP;
            CellAggregate aggregate =
                    new CellAggregate(
                            kind,
                            hasOther ? "r" : "",
                            hasOther ? any(random) : null,
                            kind == Kind.TOP
                                    ? 1 + random.nextInt(6)
                                    : kind.name().contains("DISTINCT")
                                            ? 4 + random.nextInt(9)
                                            : isQuantile ? random.nextInt(1_000_001) : 0);
            ValueSpec spec = new ValueSpec("v", type, List.of(aggregate));
            List<Row> rows = new ArrayList<>();
            for (int i = random.nextInt(30); i >= 0; i--) {
                rows.add(row(type, aggregate.other(), random));
            }
            CellFunction function = KeptCell.of(List.of(spec)).get(0).function();
            HeapCell first = merged(spec, function, rows, random);
            Collections.shuffle(rows, random);
            HeapCell second = merged(spec, function, rows, random);
            assertThat(second).as("seed=%d, %s", SEED, spec).isEqualTo(first);
            CellBytes bytes = new CellBytes();
            first.read(bytes);
            if (kind == Kind.DISTINCT_SKETCH || isQuantile) {
                // Their results are tested against those of DataSketches, and against sorted
                // values.
                continue;
            }
            Object result =
                    bytes.length() == 0
                            ? null
                            : function.result(bytes.array(), bytes.at(), bytes.length());
            assertThat(result)
                    .as("seed=%d, %s, %s", SEED, spec, rows)
                    .isEqualTo(expected(aggregate, rows));
        }
    }

    /** Some rows in a cell, and cells in cells. */
    private static HeapCell merged(
            ValueSpec spec, CellFunction function, List<Row> rows, Random random) {
        HeapCell cell = new HeapCell();
        if (rows.size() > 1 && random.nextInt(3) > 0) {
            int half = 1 + random.nextInt(rows.size() - 1);
            for (List<Row> part : List.of(rows.subList(0, half), rows.subList(half, rows.size()))) {
                CellBytes bytes = new CellBytes();
                merged(spec, function, part, random).read(bytes);
                add(cell, bytes, function);
            }
            return cell;
        }
        RowCells reader = new RowCells(List.of(spec));
        RowValues values = reader.newRow();
        CellBytes bytes = new CellBytes();
        for (Row row : rows) {
            put(values, 0, row.value);
            if (values.columns() == OTHER + 1) {
                put(values, OTHER, row.other);
            }
            reader.fill(values, row.time);
            bytes.own(0);
            if (!values.isNull(CELL)) {
                bytes.set(values.text(CELL), 0, values.textBytes(CELL));
            }
            add(cell, bytes, function);
        }
        return cell;
    }

    private static void add(HeapCell cell, CellBytes more, CellFunction function) {
        if (more.length() == 0) {
            return;
        }
        int most = function.mostBytes(cell.length(), more.length());
        function.merge(cell, more.array(), more.at(), more.length());
        assertThat(cell.length()).isBetween(1, most);
    }

    private static void put(RowValues values, int column, Object value) {
        if (value == null) {
            values.putNull(column);
        } else if (value instanceof String text) {
            values.putText(column, text);
        } else if (value instanceof Double || value instanceof Float) {
            values.putWord(column, Double.doubleToLongBits(((Number) value).doubleValue()));
        } else if (value instanceof BigDecimal decimal) {
            values.putWord(column, decimal.unscaledValue().longValueExact());
        } else {
            values.putWord(column, ((Number) value).longValue());
        }
    }

    private static Object expected(CellAggregate aggregate, List<Row> rows) {
        List<Row> present =
                new ArrayList<>(rows.stream().filter(row -> row.value != null).toList());
        Comparator<Row> ascending =
                aggregate.isByTime()
                        ? Comparator.comparingLong(Row::time)
                        : (a, b) -> compare(a.value, b.value);
        Comparator<Row> best =
                switch (aggregate.kind()) {
                    case MIN, FIRST, ARG_MIN, APPROX_DISTINCT, DISTINCT_SKETCH, APPROX_QUANTILE ->
                            ascending;
                    case MAX, LAST, ARG_MAX, TOP -> ascending.reversed();
                };
        present.sort(
                best.thenComparing(
                        row -> asked(aggregate, row),
                        Comparator.nullsLast(CellFunctionTest::compare)));
        if (present.isEmpty()) {
            return null;
        }
        if (aggregate.kind() == Kind.APPROX_DISTINCT) {
            // Few, so they are counted; -0.0 is 0.0.
            return present.stream().map(CellFunctionTest::canonical).distinct().count();
        }
        return aggregate.kind() == Kind.TOP
                ? Arrays.asList(present.stream().limit(aggregate.limit()).map(Row::other).toArray())
                : asked(aggregate, present.get(0));
    }

    private static Object canonical(Row row) {
        return row.value instanceof Double || row.value instanceof Float
                ? (Object) (((Number) row.value).doubleValue() + 0.0)
                : row.value;
    }

    private static Object asked(CellAggregate aggregate, Row row) {
        return aggregate.other() == null ? row.value : row.other;
    }

    @SuppressWarnings("unchecked") // Values of one column are of one class.
    private static int compare(Object a, Object b) {
        return a instanceof String text
                ? Arrays.compareUnsigned(bytes(text), bytes((String) b))
                : ((Comparable<Object>) a).compareTo(b);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ColumnType any(Random random) {
        return TYPES[random.nextInt(TYPES.length)];
    }

    private static Row row(ColumnType value, ColumnType other, Random random) {
        return new Row(
                value(value, random),
                other == null ? null : value(other, random),
                random.nextInt(5) - 2);
    }

    private static Object value(ColumnType type, Random random) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        return switch (type.kind()) {
            case TEXT -> TEXTS[random.nextInt(TEXTS.length)];
            case INT -> random.nextInt(7) - 3;
            case LONG -> random.nextInt(3) == 0 ? Long.MIN_VALUE : random.nextInt(3);
            case FLOAT ->
                    random.nextInt(5) == 0
                            ? Float.NaN
                            : (random.nextInt(3) - 1) * 0.0f + random.nextInt(2);
            case DOUBLE -> random.nextInt(5) == 0 ? Double.NaN : random.nextInt(3) * 0.5 - 0.5;
            case DECIMAL -> BigDecimal.valueOf(random.nextInt(7) - 3, type.scale());
            case BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR -> throw type.refusedBy("a test");
        };
    }
}
