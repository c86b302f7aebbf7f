package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.types.logical.RowType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random aggregations over random rows, by Flink's own operators and by ours: the same rows come out, with the same
 * bytes in each field, and of windows in the same order. Where there is state, on the heap or in RocksDB, each goes on from
 * that of the other.
 *
 * <p>Covers: AggregatePlan, GpuWindowAggregate, TableWindowBuffer, StateOutput.
 */
class AggregateEqualsFlinkTest {

    private static final int QUERIES = Integer.getInteger("sql.queries", 40);
    private static final int ROWS = 1_500;

    /** Days on which clocks are changed. */
    private static final List<String> BASES =
            List.of("2024-05-01T00:00:00Z", "2024-03-10T06:30:00Z", "2024-11-03T05:30:00Z");

    private static final List<String> ZONES =
            List.of("UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin");

    private final Plans plans = new Plans();
    private final TableEnvironment tables = plans.tables();

    @BeforeEach
    void setUp() {
        for (String type : List.of("TIMESTAMP", "TIMESTAMP_LTZ")) {
            tables.executeSql(
                    "CREATE TABLE %s_events (%s, ts %s(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'events')"
                            .formatted(type, EventRows.SCHEMA, type));
        }
        phase(AggregatePhaseStrategy.TWO_PHASE);
        tables.getConfig().set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
    }

    private void phase(AggregatePhaseStrategy strategy) {
        tables.getConfig().set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, strategy);
    }

    @Test
    void windows() throws Exception {
        compareAll(AggregateEqualsFlinkTest::windowQuery, "LocalWindowAggregate");
    }

    @Test
    void windowsOfOnePhase() throws Exception {
        phase(AggregatePhaseStrategy.ONE_PHASE);
        compareAll(AggregateEqualsFlinkTest::windowQuery, "WindowAggregate");
    }

    /**
     * A late row that is not dropped, for which all groups have to be sent first as no more slices have numbers: the
     * timer of its next window is one of its own key.
     */
    @Test
    void groupsThatAreSentForALateRowLeaveItsKey() throws Exception {
        phase(AggregatePhaseStrategy.ONE_PHASE);
        String query =
                "SELECT k, window_end, COUNT(*) FROM TABLE(HOP(TABLE TIMESTAMP_events, DESCRIPTOR(ts),"
                        + " INTERVAL '1' SECOND, INTERVAL '5' SECOND)) GROUP BY k, window_start,"
                        + " window_end";
        ExecNode<?> ours = node(query, true, "WindowAggregate");
        ExecNode<?> flinks = node(query, false, "WindowAggregate");
        RowType input = (RowType) ours.getInputEdges().get(0).getOutputType();
        try (Pair pair = new Pair(List.of(ours, flinks), input, false, false)) {
            pair.each(harness -> harness.processWatermark(new Watermark(10_000)));
            for (int second = 0; second < 1 << Short.SIZE - 1; second++) {
                RowData row = row(input, "a", 20_000 + second * 1000L);
                pair.each(harness -> harness.processElement(new StreamRecord<>(row)));
            }
            RowData late = row(input, "late", 9_500);
            pair.each(harness -> harness.processElement(new StreamRecord<>(late)));
            pair.each(harness -> harness.processWatermark(Watermark.MAX_WATERMARK));
            assertThat(pair.results(1)).filteredOn(row -> row.contains("late")).hasSize(4);
            assertSame(pair.results(0), pair.results(1));
        }
    }

    private static RowData row(RowType type, String key, long time) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        row.setField(type.getFieldIndex("k"), StringData.fromString(key));
        row.setField(type.getFieldIndex("ts"), TimestampData.fromEpochMillis(time));
        return row;
    }

    private static String windowQuery(Random random) {
        return new RandomAggregates(random)
                .windowQuery(random.nextBoolean() ? "TIMESTAMP_events" : "TIMESTAMP_LTZ_events");
    }

    @Test
    void miniBatches() throws Exception {
        tables.getConfig()
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true)
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY, Duration.ofDays(1))
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 77L);
        compareAll(
                random -> new RandomAggregates(random).groupQuery("TIMESTAMP_events"),
                "LocalGroupAggregate");
    }

    private interface Queries {
        String query(Random random);
    }

    private void compareAll(Queries queries, String kind) throws Exception {
        for (int i = 0; i < QUERIES; i++) {
            long seed = Long.getLong("sql.seed", new Random().nextLong());
            Random random = new Random(seed);
            String query = queries.query(random);
            try {
                compare(query, kind, random);
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed=" + seed + "L, " + query, e);
            }
        }
    }

    private void compare(String query, String kind, Random random) throws Exception {
        tables.getConfig().setLocalTimeZone(ZoneId.of(any(ZONES, random)));
        ExecNode<?> ours = node(query, true, kind);
        ExecNode<?> flinks = node(query, false, kind);
        assertThat(ours.getClass().getSimpleName()).isEqualTo("Gpu" + kind);
        assertThat(flinks.getClass().getSimpleName()).isEqualTo("StreamExec" + kind);

        RowType input = (RowType) ours.getInputEdges().get(0).getOutputType();
        EventRows rows =
                new EventRows(
                        input,
                        Instant.parse(any(BASES, random)).toEpochMilli(),
                        1 + random.nextInt(100),
                        random.nextInt(20_000));
        boolean rocksDb = kind.equals("WindowAggregate") && random.nextInt(4) == 0;
        try (Pair pair = new Pair(List.of(ours, flinks), input, random.nextBoolean(), rocksDb)) {
            for (int i = 0; i < ROWS; i++) {
                RowData row = rows.row(i, random);
                pair.each(harness -> harness.processElement(new StreamRecord<>(row)));
                if (random.nextInt(30) == 0) {
                    Watermark mark = new Watermark(time(input, row));
                    pair.each(harness -> harness.processWatermark(mark));
                }
                if (random.nextInt(200) == 0) {
                    pair.each(harness -> harness.prepareSnapshotPreBarrier(1));
                    if (random.nextBoolean()) {
                        pair.restoreEachFromTheOther();
                    }
                }
            }
            pair.each(harness -> harness.processWatermark(Watermark.MAX_WATERMARK));
            pair.each(OneInputStreamOperatorTestHarness::endInput);
            assertSame(results(pair, 0, kind), results(pair, 1, kind));
        }
    }

    /** Of mini-batches sorted: Flink has them in the order of a hash map. */
    private static List<String> results(Pair pair, int node, String kind) {
        List<String> results = pair.results(node);
        if (kind.equals("LocalGroupAggregate")) {
            Collections.sort(results);
        }
        return results;
    }

    private static long time(RowType type, RowData row) {
        int field = type.getFieldIndex("ts");
        return field < 0 ? 0 : row.getTimestamp(field, 3).getMillisecond();
    }

    private static void assertSame(List<String> actual, List<String> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as("row %d", i).isEqualTo(expected.get(i));
        }
        assertThat(actual).hasSameSizeAs(expected).isNotEmpty();
    }

    private ExecNode<?> node(String query, boolean enabled, String kind) {
        tables.getConfig().set(GpuSqlOptions.ENABLED, enabled);
        ExecNode<?> node = plans.node(query);
        while (!node.getClass().getSimpleName().endsWith(kind)) {
            node = node.getInputEdges().get(0).getSource();
        }
        return node;
    }

    private interface Action {
        void on(CalcHarness harness) throws Exception;
    }

    /** The operators of two nodes. */
    private final class Pair implements AutoCloseable {

        private final List<ExecNode<?>> nodes;
        private final RowType input;
        private final boolean reuse;
        private final boolean rocksDb;
        private final List<List<String>> earlier = List.of(new ArrayList<>(), new ArrayList<>());
        private List<CalcHarness> harnesses;

        Pair(List<ExecNode<?>> nodes, RowType input, boolean reuse, boolean rocksDb)
                throws Exception {
            this.nodes = nodes;
            this.input = input;
            this.reuse = reuse;
            this.rocksDb = rocksDb;
            harnesses = List.of(harness(0, null), harness(1, null));
        }

        private CalcHarness harness(int node, OperatorSubtaskState state) throws Exception {
            return new CalcHarness(
                    (OneInputTransformation<?, ?>) nodes.get(node).translateToPlan(plans.planner()),
                    input,
                    (RowType) nodes.get(node).getOutputType(),
                    reuse,
                    rocksDb ? rocksDb() : new HashMapStateBackend(),
                    state);
        }

        /** With memory of its own: the harness has little, which is the operator's. */
        private static StateBackend rocksDb() {
            EmbeddedRocksDBStateBackend backend = new EmbeddedRocksDBStateBackend();
            backend.getMemoryConfiguration().setUseManagedMemory(false);
            return backend;
        }

        void each(Action action) throws Exception {
            for (CalcHarness harness : harnesses) {
                action.on(harness);
            }
        }

        void restoreEachFromTheOther() throws Exception {
            List<OperatorSubtaskState> states = new ArrayList<>();
            for (int i = 0; i < harnesses.size(); i++) {
                states.add(harnesses.get(i).snapshot(1, 1));
                earlier.get(i).addAll(harnesses.get(i).results());
            }
            close();
            harnesses = List.of(harness(0, states.get(1)), harness(1, states.get(0)));
        }

        List<String> results(int node) {
            List<String> results = new ArrayList<>(earlier.get(node));
            results.addAll(harnesses.get(node).results());
            return results;
        }

        @Override
        public void close() {
            harnesses.forEach(CalcHarness::close);
        }
    }

    private static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
