package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.search.EmulatedSearch;

import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What can be watched of a shard, on each backend.
 *
 * <p>Covers: ShardOperator.
 */
@Timeout(120)
class ShardMetricsTest {

    private static final long BYTES = 64L << 20;

    /** More than a query's candidates have room on a device. */
    private static final int MANY = 70_000;

    enum On {
        CPU,
        EMULATED_SCANNING,
        EMULATED_INVERTING;

        BackendFactory factory() {
            return request -> {
                try {
                    return switch (this) {
                        case CPU -> CpuBackend.open(request);
                        case EMULATED_SCANNING -> EmulatedSearch.scanning();
                        case EMULATED_INVERTING -> EmulatedSearch.inverting();
                    };
                } catch (IOException e) {
                    throw new BackendException("no emulation", e);
                }
            };
        }
    }

    private static ShardHarness.Settings settings(On on, boolean eventTime) {
        return new ShardHarness.Settings(
                Similarity.JACCARD, eventTime, ShardHarness.NEVER_FULL, BYTES, on.factory());
    }

    @ParameterizedTest
    @EnumSource
    void documentsAreCountedWithThoseThatDied(On on) throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = settings(on, false).one()) {
            harness.open();
            assertThat(values(harness, "documents", "tiles", "tombstones")).containsOnly(0);
            upsert(harness, 0, 10, id -> SetChange.upsert(id, 5, (int) id));
            harness.change(SetChange.delete(3), null);
            harness.change(SetChange.upsert(4, 6), null);
            ask(harness, SetQuery.of(1, 5));
            assertThat(values(harness, "documents", "tiles", "tombstones"))
                    .containsExactly(9, 0, 2);
            assertThat(harness.metric("hostBytes")).isPositive();
            assertThat(harness.metric("corpusBytes")).isBetween(1L, BYTES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tilesAreThoseThatAreSealed(On on) throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = settings(on, false).one()) {
            harness.open();
            upsert(harness, 0, 1_500, id -> SetChange.upsert(id, 5, (int) id % 500));
            ask(harness, SetQuery.of(1, 5));
            long before = harness.metric("corpusBytes");
            assertThat(harness.metric("tiles")).isEqualTo(on == On.EMULATED_INVERTING ? 1 : 0);
            upsert(harness, 1_500, MANY, id -> SetChange.upsert(id, 5, (int) id % 500));
            if (on != On.EMULATED_INVERTING) {
                // A full tile is sealed in steps, a part with each change.
                upsert(harness, MANY - 10_000, MANY, id -> SetChange.upsert(id, 5, (int) id % 500));
            }
            ask(harness, SetQuery.of(1, 5));
            assertThat(harness.metric("tiles"))
                    .isEqualTo(on == On.EMULATED_INVERTING ? MANY / 1_000 - 1 : 1);
            assertThat(harness.metric("documents")).isEqualTo(MANY);
            assertThat(harness.metric("corpusBytes")).isGreaterThan(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void queriesAreCountedByTheWayThatTheyWereAnswered(On on) throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = settings(on, false).one()) {
            harness.open();
            ask(harness, SetQuery.of(1, 5));
            assertThat(values(harness, "scannedQueries", "indexedQueries", "wideQueries"))
                    .containsOnly(0);
            upsert(harness, 0, MANY, id -> SetChange.upsert(id, (int) id % 500));
            ask(harness, SetQuery.of(1, 5));
            // One element in a full tile: the index is the cheaper way, if the backend is not set
            // to another.
            int indexed = on == On.EMULATED_SCANNING ? 0 : 1;
            assertThat(values(harness, "scannedQueries", "indexedQueries", "wideQueries"))
                    .containsExactly(1 - indexed, indexed, 0);
            harness.change(SetChange.upsert(MANY, IntStream.range(0, 300).toArray()), null);
            ask(harness, SetQuery.of(1, 5));
            assertThat(values(harness, "scannedQueries", "indexedQueries", "wideQueries"))
                    .containsExactly(2 - 2 * indexed, 2 * indexed, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void candidatesAreCountedAndWhatIsDoneAboutTooMany(On on) throws Exception {
        try (ShardHarness<SearchResult<Integer>> harness = settings(on, false).one()) {
            harness.open();
            upsert(harness, 0, 100, id -> SetChange.upsert(id, 5, (int) id + 10));
            ask(harness, SetQuery.of(2, 7));
            assertThat(harness.metric("candidates")).isZero();
            ask(harness, SetQuery.of(200, 5));
            assertThat(harness.metric("candidates")).isEqualTo(100);
            upsert(harness, 0, MANY, id -> SetChange.upsert(MANY - id, 5, 6));
            ask(harness, SetQuery.of(2, 5));
            assertThat(harness.metric("candidates")).isGreaterThan(101);
            assertThat(harness.metric("overflowedQueries")).isEqualTo(on == On.CPU ? 0 : 1);
            assertThat(harness.metric("hostSelectedQueries")).isZero();
            long before = harness.metric("candidates");
            ask(harness, SetQuery.of(1_025, 5));
            assertThat(harness.metric("hostSelectedQueries")).isEqualTo(on == On.CPU ? 0 : 1);
            assertThat(harness.metric("candidates")).isGreaterThanOrEqualTo(before + 1_025);
        }
    }

    /** Sets of 3 elements below 128 are 5 bytes as documents; queries have 4 bytes an element. */
    @Test
    void whatWaitsIsCounted() throws Exception {
        OperatorSubtaskState state;
        String[] names = {"waitingQueries", "waitingChanges", "waitingBytes"};
        try (ShardHarness<SearchResult<Integer>> harness = settings(On.CPU, true).one()) {
            harness.open();
            harness.change(SetChange.upsert(1, 5, 6, 7), 10L);
            harness.change(SetChange.upsert(2, 5, 6, 7), 20L);
            harness.change(SetChange.delete(1), 20L);
            harness.ask(0, SetQuery.of(1, 5, 6), 20L);
            assertThat(values(harness, names)).containsExactly(1, 3, 18);
            state = harness.checkpoint(1);
        }
        try (ShardHarness<SearchResult<Integer>> harness =
                settings(On.CPU, true).one().restored(state, 1)) {
            assertThat(values(harness, names)).containsExactly(1, 3, 18);
            mark(harness, 10);
            assertThat(values(harness, names)).containsExactly(1, 2, 13);
            harness.ask(1, SetQuery.of(1, 5, 6), 3L);
            harness.change(SetChange.delete(9), 4L);
            mark(harness, 20);
            assertThat(values(harness, names)).containsOnly(0);
            harness.checkpoint(2);
            assertThat(values(harness, "queries", "changes", "lateQueries", "lateChanges"))
                    .containsExactly(2, 4, 1, 1);
        }
    }

    private static void upsert(
            ShardHarness<?> harness, int from, int to, LongFunction<SetChange> change)
            throws Exception {
        for (int id = from; id < to; id++) {
            harness.change(change.apply(id), null);
        }
    }

    /** Asks, and waits for the answer. */
    private static void ask(ShardHarness<?> harness, SetQuery query) throws Exception {
        harness.ask(0, query, null);
        harness.checkpoint(1);
    }

    private static void mark(ShardHarness<?> harness, long timestamp) throws Exception {
        harness.operator().processWatermark1(new Watermark(timestamp));
        harness.operator().processWatermark2(new Watermark(timestamp));
    }

    private static long[] values(ShardHarness<?> harness, String... names) {
        return Arrays.stream(names).mapToLong(harness::metric).toArray();
    }
}
