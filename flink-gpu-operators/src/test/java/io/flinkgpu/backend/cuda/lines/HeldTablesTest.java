package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.plan.LinePlan;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** How large tables of held groups are, and when another one takes the place of one. */
class HeldTablesTest {

    private static final LinePlan PLAN =
            new LinePlan(
                            Delimited.of(';').string("key").intNumber("n"),
                            0,
                            null,
                            List.of(1),
                            List.of(
                                    new ValueSpec(
                                            "n", ColumnType.INT, List.of(Aggregate.values()))))
                    .holdingGroups();

    /** Words of a group, offset and key. */
    private static final long GIVEN_BYTES = 8 * 8 + 4 + 10;

    private final LinesArgs args = new LinesArgs(PLAN, 1, 2, -1);
    private final List<Long> open = new ArrayList<>();

    /** More than this is refused. */
    private long memoryBytes = Long.MAX_VALUE;

    HeldTablesTest() throws Exception {}

    @ParameterizedTest
    @CsvSource({"1, 10, 2", "2, 7, 4", "3, 0, 8", "1000, 10000, 2048", "1025, 1, 4096"})
    void anIndexIsAtMostHalfFull(int groups, long keyBytes, int slots) {
        HeldLayout layout = HeldLayout.of(args.fields(), groups, keyBytes);
        assertThat(layout.slots()).isEqualTo(slots);
        assertThat(layout.index()).isGreaterThanOrEqualTo(LinesAbi.HELD_HEADER_BYTES + 8);
        assertThat(layout.records()).isGreaterThanOrEqualTo(layout.index() + 8L * slots);
        assertThat(layout.keys())
                .isGreaterThanOrEqualTo(
                        layout.records() + 8L * args.fields().recordWords() * groups);
        assertThat(layout.bytes())
                .isGreaterThanOrEqualTo(layout.keys() + keyBytes + LinesAbi.LINES_PADDING_BYTES);
    }

    @Test
    void aTableHasRoomForSomeBatches() throws Exception {
        try (HeldTables held = held(1L << 30)) {
            assertThat(held.tableFor(batch(100))).as("comes with the header").isNull();
            LinesHeader batch = batch(5000);
            HeldTable table = held.tableFor(batch);
            assertThat(table.layout().groups()).isEqualTo(40_000);
            assertThat(table.layout().keyBytes()).isEqualTo(400_000);
            assertThat(held.isGivenOutFor(table, batch)).isTrue();
            assertThat(held.held()).isNull();
            held.use(table);
            add(table, batch, 40_000);
            assertThat(held.held()).isSameAs(table);
            assertThat(held.tableFor(batch(2000)))
                    .as("another of twice the size")
                    .isNotSameAs(table)
                    .extracting(next -> next.layout().groups())
                    .isEqualTo(80_000);
        }
        assertThat(open).isEmpty();
    }

    @Test
    void aTableIsNotLargerThanWhatCanBeGivenOut() throws Exception {
        try (HeldTables held = held(12_000 * GIVEN_BYTES)) {
            HeldTable table = held.tableFor(batch(5000));
            assertThat(table.layout().groups()).isEqualTo(12_000);
            held.use(table);
            add(table, batch(5000), 5000);
            add(table, batch(5000), 8000);
            assertThat(held.tableFor(batch(4000))).isSameAs(table);
            assertThat(held.isGivenOutFor(table, batch(4000))).isFalse();
            assertThat(held.tableFor(batch(5000))).isSameAs(table);
            assertThat(held.isGivenOutFor(table, batch(5000))).isTrue();
            held.use(table);
            assertThat(held.held()).isNull();
            assertThat(held.isGivenOutFor(table, batch(5000))).isFalse();
            assertThat(held.tableFor(batch(12_001))).as("larger than all of it").isNull();
            assertThat(open).hasSize(1);
        }
        assertThat(open).isEmpty();
    }

    @Test
    void whereThereIsLessMemoryATableIsSmaller() throws Exception {
        memoryBytes = HeldLayout.of(args.fields(), 10_000, 100_000).bytes();
        try (HeldTables held = held(1L << 30)) {
            HeldTable table = held.tableFor(batch(5000));
            assertThat(table.layout().groups()).isEqualTo(10_000);
            held.use(table);
            add(table, batch(5000), 7000);
            assertThat(held.tableFor(batch(5000))).isSameAs(table);
            assertThat(held.isGivenOutFor(table, batch(5000))).isTrue();
            assertThat(held.tableFor(batch(11_000))).isNull();
            memoryBytes = Long.MAX_VALUE;
            assertThat(held.tableFor(batch(11_000)).layout().groups()).isEqualTo(88_000);
            assertThat(open).as("until all is given out").hasSize(2);
        }
        assertThat(open).isEmpty();
    }

    @Test
    void noMoreLinesAreHeldThanBinsHaveRoomFor() throws Exception {
        try (HeldTables held = held(1L << 30)) {
            LinesHeader batch = batch(5000, Integer.MAX_VALUE / 2);
            HeldTable table = held.tableFor(batch);
            held.use(table);
            add(table, batch, 5000);
            add(table, batch, 5000);
            assertThat(held.isGivenOutFor(table, batch(5000, 1))).isFalse();
            assertThat(held.isGivenOutFor(table, batch(5000, 2))).isTrue();
        }
    }

    private HeldTables held(long maxGivenBytes) {
        return new HeldTables(args, LinesLayout.SMALL_RESULT_BYTES, maxGivenBytes, this::take);
    }

    private HeldTable.Memory take(long bytes) {
        if (bytes > memoryBytes) {
            return null;
        }
        open.add(bytes);
        return new HeldTable.Memory() {
            @Override
            public long address() {
                return 256;
            }

            @Override
            public void close() {
                open.remove(bytes);
            }
        };
    }

    private static LinesHeader batch(int groups) {
        return batch(groups, groups);
    }

    /** A batch whose keys have ten bytes. */
    private static LinesHeader batch(int groups, long lines) {
        AggregateHeader aggregates =
                new AggregateHeader(groups, new int[1], new int[] {LinesAbi.LINES_INTEGER_BINS});
        return new LinesHeader(aggregates, lines, 10L * groups, 0, Long.MIN_VALUE, false);
    }

    /** A batch was added, and there are so many groups now. */
    private static void add(HeldTable table, LinesHeader batch, long groups) {
        try (RootAllocator allocator = new RootAllocator();
                ArrowBuf header = allocator.buffer(16)) {
            header.setLong(0, groups << 32 | 10 * groups);
            header.setLong(8, 0);
            table.added(PLAN, batch, header.memoryAddress());
        }
    }
}
