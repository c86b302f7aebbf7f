package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.data.RowData;
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
 * Random local aggregations over random rows, by Flink's own operators and by ours: the same rows come out, with the
 * same bytes in each field, and of windows in the same order.
 *
 * <p>Covers: LocalAggregatePlan.
 */
class LocalAggregateEqualsFlinkTest {

    private static final int QUERIES = Integer.getInteger("sql.queries", 60);
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
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.TWO_PHASE);
        tables.getConfig().set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
    }

    @Test
    void windows() throws Exception {
        compareAll(
                random ->
                        new RandomAggregates(random)
                                .windowQuery(
                                        random.nextBoolean()
                                                ? "TIMESTAMP_events"
                                                : "TIMESTAMP_LTZ_events"),
                "LocalWindowAggregate");
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
        ExecNode<?> ours = local(query, true, kind);
        ExecNode<?> flinks = local(query, false, kind);
        assertThat(ours.getClass().getSimpleName()).isEqualTo("Gpu" + kind);
        assertThat(flinks.getClass().getSimpleName()).isEqualTo("StreamExec" + kind);

        RowType input = (RowType) ours.getInputEdges().get(0).getOutputType();
        boolean reuse = random.nextBoolean();
        EventRows rows =
                new EventRows(
                        input,
                        Instant.parse(any(BASES, random)).toEpochMilli(),
                        1 + random.nextInt(100),
                        random.nextInt(20_000));
        try (CalcHarness actual = harness(ours, input, reuse);
                CalcHarness expected = harness(flinks, input, reuse)) {
            for (int i = 0; i < ROWS; i++) {
                RowData row = rows.row(i, random);
                long mark = random.nextInt(30) == 0 ? time(input, row) : Long.MIN_VALUE;
                boolean checkpoint = random.nextInt(200) == 0;
                for (CalcHarness harness : List.of(actual, expected)) {
                    harness.processElement(new StreamRecord<>(row));
                    if (mark > Long.MIN_VALUE) {
                        harness.processWatermark(new Watermark(mark));
                    }
                    if (checkpoint) {
                        harness.prepareSnapshotPreBarrier(1);
                    }
                }
            }
            for (CalcHarness harness : List.of(actual, expected)) {
                harness.processWatermark(Watermark.MAX_WATERMARK);
                harness.endInput();
            }
            assertSame(results(actual, kind), results(expected, kind));
        }
    }

    /** Of mini-batches sorted: Flink has them in the order of a hash map. */
    private static List<String> results(CalcHarness harness, String kind) {
        List<String> results = new ArrayList<>(harness.results());
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

    private ExecNode<?> local(String query, boolean enabled, String kind) {
        tables.getConfig().set(GpuSqlOptions.ENABLED, enabled);
        ExecNode<?> node = plans.node(query);
        while (!node.getClass().getSimpleName().endsWith(kind)) {
            node = node.getInputEdges().get(0).getSource();
        }
        return node;
    }

    private CalcHarness harness(ExecNode<?> node, RowType input, boolean reuse) throws Exception {
        return new CalcHarness(
                (OneInputTransformation<?, ?>) node.translateToPlan(plans.planner()),
                input,
                (RowType) node.getOutputType(),
                reuse);
    }

    private static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
