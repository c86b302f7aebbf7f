package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.cuda.lines.HeldTables.Holder;
import io.flinkgpu.backend.cuda.lines.HeldTables.Piece;
import io.flinkgpu.backend.plan.LinePlan;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How large tables of held groups are, which of them a batch goes to, and who gives out what.
 *
 * <p>Covers: HeldTables, HeldTable, SmallTables.
 */
class HeldTablesTest {

    private static final LinePlan PLAN =
            new LinePlan(
                            Delimited.of(';').string("key").intNumber("n"),
                            0,
                            null,
                            List.of(1),
                            List.of(
                                    new ValueSpec(
                                            "n",
                                            ColumnType.INT,
                                            List.of(Aggregate.MIN, Aggregate.MEAN, Aggregate.MAX))))
                    .holdingGroups();

    private static final int PIECE_GROUPS = 3000;

    private final LinesArgs args = new LinesArgs(PLAN, 1, 2, -1);
    private final List<Long> taken = new ArrayList<>();

    /** More than this is refused. */
    private long memoryBytes = Long.MAX_VALUE;

    /** How long a program waits for others. */
    private long patienceMillis = 1;

    HeldTablesTest() throws Exception {}

    @AfterEach
    void allMemoryIsBack() {
        assertThat(taken).isEmpty();
    }

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
    void aTableHasRoomForManyBatchesAndIsFollowedByALargerOne() throws Exception {
        try (HeldTables tables = tables();
                Holder holder = holder(tables)) {
            assertThat(holder.add(batch(100), table -> {})).as("comes with the header").isFalse();
            add(holder, 5000, 640_000);
            assertThat(taken).containsExactly(bytes(640_000));
            add(holder, 5000, 640_000);
            assertThat(taken).containsExactly(bytes(640_000), bytes(1_280_000));
        }
    }

    @Test
    void whereThereIsLessMemoryATableIsSmaller() throws Exception {
        memoryBytes = bytes(10_000);
        try (HeldTables tables = tables();
                Holder holder = holder(tables)) {
            add(holder, 5000, 5000);
            assertThat(taken).containsExactly(bytes(10_000));
            add(holder, 5000, 7000);
            memoryBytes = 0;
            assertThat(holder.add(batch(5000), table -> {})).as("no room").isFalse();
            add(holder, 3000, 8000);
            assertThat(given(holder)).isEqualTo(8000);
            assertThat(taken).isEmpty();
            memoryBytes = bytes(9000);
            assertThat(holder.add(batch(5000), table -> {})).as("hardly more").isFalse();
        }
    }

    @Test
    void noMoreLinesAreHeldThanBinsHaveRoomFor() throws Exception {
        try (HeldTables tables = tables();
                Holder holder = holder(tables)) {
            LinesHeader batch = batch(5000, Integer.MAX_VALUE / 2);
            add(holder, batch, 5000);
            add(holder, batch, 5000);
            add(holder, batch(5000, 1), 5000);
            assertThat(taken).hasSize(1);
            add(holder, batch(5000, 1), 5000);
            assertThat(taken).hasSize(2);
        }
    }

    @Test
    void eachPieceIsGivenOutByOne() throws Exception {
        try (HeldTables tables = tables();
                Holder first = holder(tables);
                Holder second = holder(tables);
                Holder idle = holder(tables)) {
            add(first, 5000, 5000);
            add(second, 5000, 7000);
            Piece some = first.take();
            assertThat(some.first()).isZero();
            assertThat(some.count()).isEqualTo(PIECE_GROUPS);
            Piece next = idle.take();
            assertThat(next.first()).isEqualTo(PIECE_GROUPS);
            add(second, 5000, 5000);
            assertThat(taken).as("another one").hasSize(2);
            idle.putBack(next);
            assertThat(given(first)).isEqualTo(4000);
            assertThat(taken).as("not all was given").hasSize(2);
            first.given(some);
            assertThat(taken).hasSize(1);
            assertThat(first.take()).as("added after it had asked, by another one").isNull();
            assertThat(given(second)).isEqualTo(5000);
        }
    }

    @Test
    void thereAreTablesForEachBarrier() throws Exception {
        try (HeldTables tables = tables();
                Holder early = holder(tables);
                Holder late = holder(tables)) {
            add(early, 5000, 5000);
            assertThat(given(early)).isEqualTo(5000);
            early.passBarrier(1);
            add(early, 5000, 5000);
            add(late, 4000, 4000);
            assertThat(given(late)).isEqualTo(4000);
            late.passBarrier(1);
            assertThat(late.take()).as("not asked for by the one that it is of").isNull();
            add(late, 5000, 6000);
            assertThat(given(late)).isEqualTo(6000);
            assertThat(early.take()).isNull();
        }
    }

    @Test
    void programsThatAskWaitForEachOther() throws Exception {
        patienceMillis = TimeUnit.HOURS.toMillis(1);
        try (HeldTables tables = tables();
                Holder first = holder(tables);
                Holder second = holder(tables)) {
            Holder third = holder(tables);
            add(first, 5000, 5000);
            add(second, 5000, 5000);
            add(third, 5000, 5000);
            CompletableFuture<Long> waiting = asking(first);
            third.close();
            add(second, 5000, 8000);
            assertThat(waiting).isNotDone();
            assertThat(given(second) + waiting.get(1, TimeUnit.MINUTES)).isEqualTo(8000);
        }
    }

    private CompletableFuture<Long> asking(Holder holder) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return given(holder);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /** How many groups a program gives out. */
    private static long given(Holder holder) throws Exception {
        long groups = 0;
        for (Piece piece; (piece = holder.take()) != null; ) {
            groups += piece.count();
            holder.given(piece);
        }
        return groups;
    }

    private HeldTables tables() {
        return new HeldTables(args, LinesLayout.SMALL_RESULT_BYTES, PIECE_GROUPS, patienceMillis);
    }

    private Holder holder(HeldTables tables) {
        return tables.newHolder(this::take);
    }

    private long bytes(int groups) {
        return HeldLayout.of(args.fields(), groups, 10L * groups).bytes();
    }

    private HeldTable.Memory take(long bytes) {
        if (bytes > memoryBytes) {
            return null;
        }
        taken.add(bytes);
        return new HeldTable.Memory() {
            @Override
            public long address() {
                return 256;
            }

            @Override
            public void close() {
                taken.remove(bytes);
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

    private static void add(Holder holder, int groups, long after) throws Exception {
        add(holder, batch(groups), after);
    }

    /** Adds a batch; there are so many groups now. */
    private static void add(Holder holder, LinesHeader batch, long groups) throws Exception {
        assertThat(holder.add(batch, table -> added(table, batch, groups))).isTrue();
    }

    private static void added(HeldTable table, LinesHeader batch, long groups) {
        try (RootAllocator allocator = new RootAllocator();
                ArrowBuf header = allocator.buffer(16)) {
            header.setLong(0, groups << 32 | 10 * groups);
            header.setLong(8, 0);
            table.added(batch, header.memoryAddress());
        }
    }
}
