package io.flinkgpu.sql.aggregate;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What only limits reach; that answers are Flink's is tested beside the planner.
 *
 * <p>Covers: LocalGroups, GroupRow, LocalGroupOperator.
 */
class LocalGroupsTest {

    private static final int KEY = 0;
    private static final int NUMBER = 1;
    private static final long ONE_KEY = 1;
    private static final long PLENTY = 64 << 20;

    private final RowDataSerializer keys =
            new RowDataSerializer(RowType.of(new VarCharType(VarCharType.MAX_LENGTH)));
    private final List<BinaryRowData> sent = new ArrayList<>();
    private final Collector<RowData> output =
            new Collector<>() {
                @Override
                public void collect(RowData row) {
                    sent.add(((BinaryRowData) row).copy());
                }

                @Override
                public void close() {}
            };

    @Test
    void allGroupsAreSentWhenMemoryRunsOut() throws Exception {
        Map<String, Long> counts = new HashMap<>();
        Map<String, Long> sums = new HashMap<>();
        Random random = new Random(7);
        try (LocalGroups groups = groups(AggregatedColumn.Kind.LONG, Long.BYTES, 300_000)) {
            for (int i = 0; i < 50_000; i++) {
                String key = "a key of more than one word " + random.nextInt(9_000);
                long slice = random.nextInt(3);
                groups.add(key(key), slice, row(key, (long) i));
                counts.merge(key + slice, 1L, Long::sum);
                sums.merge(key + slice, (long) i, Long::sum);
            }
            assertThat(sent).isNotEmpty();
            groups.sendAll();
            assertThat(groups.size()).isZero();
        }
        assertThat(sent).hasSizeGreaterThan(counts.size());
        checkSent(counts, sums);
    }

    @Test
    void groupsAreMergedAlsoWhenMemoryRunsOut() throws Exception {
        Map<String, Long> counts = new HashMap<>();
        Map<String, Long> sums = new HashMap<>();
        Random random = new Random(8);
        RowValues values = new RowValues(2);
        values.putWord(0, 0);
        List<ValueSpec> specs = aggregation(AggregatedColumn.Kind.LONG, Long.BYTES).specs();
        try (LocalGroups groups = groups(AggregatedColumn.Kind.LONG, Long.BYTES, 300_000);
                RootAllocator allocator = new RootAllocator(PLENTY);
                GroupTable other = new GroupTables(allocator, specs).newTable()) {
            byte[] any = new byte[9];
            for (int i = 0; i < 20_000; i++) {
                String key = "a key of more than one word " + random.nextInt(9_000);
                long slice = random.nextInt(3);
                if (i % 3 == 0) {
                    values.putNull(1);
                    groups.add(key(key), slice, values);
                    counts.merge(key + slice, 1L, Long::sum);
                    sums.merge(key + slice, 0L, Long::sum);
                    continue;
                }
                int group = other.group(any, 0, 1, 0);
                for (int n = 0; n < 2; n++) {
                    other.add(group, 0, 0);
                    other.add(group, 1, Integer.MAX_VALUE);
                }
                GroupCursor cursor = other.cursor();
                cursor.next();
                groups.merge(key(key), slice, cursor);
                other.clear();
                counts.merge(key + slice, 2L, Long::sum);
                sums.merge(key + slice, 2L * Integer.MAX_VALUE, Long::sum);
            }
            groups.sendAll();
        }
        assertThat(sent).hasSizeGreaterThan(counts.size());
        checkSent(counts, sums);
    }

    private void checkSent(Map<String, Long> counts, Map<String, Long> sums) {
        for (BinaryRowData row : sent) {
            String group = row.getString(KEY).toString() + row.getLong(5);
            counts.merge(group, -row.getLong(1), Long::sum);
            if (!row.isNullAt(2)) {
                sums.merge(group, -row.getLong(2), Long::sum);
            }
        }
        assertThat(counts.values()).containsOnly(0L);
        assertThat(sums.values()).containsOnly(0L);
    }

    @Test
    void moreSlicesThanHaveNumbers() throws Exception {
        int slices = SliceNumbers.MAX + 100;
        try (LocalGroups groups = groups(AggregatedColumn.Kind.LONG, Long.BYTES, PLENTY)) {
            for (long slice = 0; slice < slices; slice++) {
                groups.add(key("k"), slice * 1000, row("k", slice));
            }
            groups.sendAll();
        }
        assertThat(sent).hasSize(slices);
        for (int i = 0; i < slices; i++) {
            assertThat(sent.get(i).getLong(5)).isEqualTo(i * 1000L);
            assertThat(sent.get(i).getLong(2)).isEqualTo(i);
        }
    }

    @Test
    void doublesAreRoundedOnce() throws Exception {
        try (LocalGroups groups = groups(AggregatedColumn.Kind.DOUBLE, Long.BYTES, PLENTY)) {
            for (double number : new double[] {1e300, 1, -1e300, 1e-9}) {
                groups.add(key("a"), 0, row("a", number));
            }
            for (double number : new double[] {-0.0, Double.NaN, -5}) {
                groups.add(key("b"), 0, row("b", number));
            }
            groups.add(key("c"), 0, row("c", null));
            groups.sendAll();
        }
        assertThat(sent.get(0).getDouble(2)).isEqualTo(1 + 1e-9);
        assertThat(sent.get(0).getDouble(3)).isEqualTo(-1e300);
        assertThat(sent.get(0).getDouble(4)).isEqualTo(1e300);
        assertThat(sent.get(1).getDouble(2)).isNaN();
        assertThat(sent.get(1).getDouble(3)).isEqualTo(-5);
        assertThat(sent.get(1).getDouble(4)).isNaN();
        assertThat(sent.get(2).getLong(1)).isEqualTo(1);
        assertThat(sent.get(2).isNullAt(2)).isTrue();
        assertThat(sent.get(2).isNullAt(3)).isTrue();
    }

    @Test
    void decimalsOfMoreDigitsThanALongHas() throws Exception {
        DecimalData most = DecimalData.fromUnscaledLong(999_999_999_999_999_999L, 18, 2);
        try (LocalGroups groups =
                groups(AggregatedColumn.Kind.DECIMAL, Accumulator.DECIMAL_BYTES, PLENTY)) {
            for (int i = 0; i < 100; i++) {
                groups.add(key("up"), 0, row("up", most));
                groups.add(
                        key("down"),
                        0,
                        row("down", DecimalData.fromUnscaledLong(-most.toUnscaledLong(), 18, 2)));
            }
            groups.sendAll();
        }
        BigDecimal sum = most.toBigDecimal().multiply(BigDecimal.valueOf(100));
        assertThat(sent.get(0).getDecimal(2, 38, 2).toBigDecimal()).isEqualTo(sum);
        assertThat(sent.get(1).getDecimal(2, 38, 2).toBigDecimal()).isEqualTo(sum.negate());
    }

    @Test
    void rowsThatTakeOthersBackAreAnError() throws Exception {
        try (LocalGroups groups = groups(AggregatedColumn.Kind.LONG, Long.BYTES, PLENTY)) {
            RowData row = row("k", 1L);
            row.setRowKind(RowKind.DELETE);
            assertThatThrownBy(() -> groups.add(key("k"), 0, row))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a row takes another one back: kind=DELETE");
        }
    }

    @Test
    void memoryThatIsTooLittleForOneGroupIsAnError() throws Exception {
        try (LocalGroups groups = groups(AggregatedColumn.Kind.LONG, Long.BYTES, 100)) {
            groups.add(key("k"), 0, row("k", 1L));
            assertThatThrownBy(groups::sendAll)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no memory for one group: bytes=100; do something about it");
        }
    }

    @Test
    void memoryThatCannotBeGivenBackKeepsNoOutputOpen() {
        BufferAllocator allocator =
                new RootAllocator(PLENTY) {
                    @Override
                    public void close() {
                        super.close();
                        throw new IllegalStateException("allocator");
                    }
                };
        ClosedOutput closed = new ClosedOutput("output");
        LocalGroups groups =
                new LocalGroups(
                        new LocalAggregation(1, ONE_KEY, List.of(), List.of()),
                        allocator,
                        "",
                        closed);
        assertThatThrownBy(groups::close)
                .hasMessage("allocator")
                .hasSuppressedException(new IllegalStateException("output"));
        assertThat(closed.times()).isEqualTo(1);
    }

    /** Rows: a key, a count of all, sum, least and greatest of a number, slice. */
    private LocalGroups groups(AggregatedColumn.Kind kind, int sumBytes, long maxBytes) {
        LocalAggregation aggregation = aggregation(kind, sumBytes);
        return new LocalGroups(
                aggregation,
                new RootAllocator(maxBytes),
                "do something about it",
                new RowOutput(aggregation, output));
    }

    private static LocalAggregation aggregation(AggregatedColumn.Kind kind, int sumBytes) {
        return new LocalAggregation(
                1,
                ONE_KEY,
                List.of(
                        new AggregatedColumn(
                                AggregatedColumn.NONE,
                                AggregatedColumn.Kind.COUNTED,
                                0,
                                0,
                                AggregatedColumn.NONE,
                                List.of(Aggregate.COUNT)),
                        new AggregatedColumn(
                                NUMBER,
                                kind,
                                18,
                                2,
                                AggregatedColumn.NONE,
                                List.of(Aggregate.MIN, Aggregate.MAX, Aggregate.SUM))),
                List.of(
                        new Accumulator(Accumulator.Kind.COUNT, 0, Long.BYTES),
                        new Accumulator(Accumulator.Kind.SUM, 1, sumBytes),
                        new Accumulator(Accumulator.Kind.MIN, 1, Long.BYTES),
                        new Accumulator(Accumulator.Kind.MAX, 1, Long.BYTES),
                        new Accumulator(
                                Accumulator.Kind.SLICE, AggregatedColumn.NONE, Long.BYTES)));
    }

    private BinaryRowData key(String key) {
        return keys.toBinaryRow(GenericRowData.of(StringData.fromString(key)));
    }

    private static RowData row(String key, Object number) {
        return GenericRowData.of(StringData.fromString(key), number);
    }
}
