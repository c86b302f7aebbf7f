package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job of windows of lines that are read in place goes on from a savepoint of Flink's own plan over the same source,
 * and that from one of its savepoints.
 *
 * <p>Covers: GpuTableSourceScan.
 */
class FusedSavepointITCase {

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static final int LINES = 500;

    /** With the condition there is a Calc, behind which rows are in place; without it lines are aggregated. */
    private static final String INSERT =
            "INSERT INTO results SELECT k, window_end, COUNT(*), SUM(l), MIN(k2), AVG(l) FROM TABLE(HOP("
                    + "TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) %s"
                    + " GROUP BY k, window_start, window_end";

    @TempDir Path savepoints;
    @TempDir Path lines;

    @ParameterizedTest(name = "compiled {0}, condition {1}")
    @CsvSource({"false, WHERE k2 > 0", "true, WHERE k2 > 0", "false, ''", "true, ''"})
    void savepointsGoBothWays(boolean compiled, String condition) throws Exception {
        String insert = INSERT.formatted(condition);
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        String sink = "lines savepoints " + compiled + condition.isEmpty();
        String plan =
                compiled ? tables(true, true, sink).compilePlanSql(insert).asJsonString() : null;
        String savepoint = null;
        int part = 0;
        for (boolean enabled : new boolean[] {false, true, true, false}) {
            new EventLines(random)
                    .write(
                            lines.resolve("part" + part),
                            part++ * LINES,
                            LINES,
                            Instant.parse("2024-05-01T00:00:00Z"),
                            100,
                            0);
            savepoint = run(sink, insert, plan, enabled, savepoint);
        }
        List<String> interrupted = List.copyOf(RowTables.sink(sink));

        StreamTableEnvironment tables = tables(false, false, sink + " whole");
        tables.executeSql(insert).await();
        assertThat(interrupted)
                .as("seed=%d", seed)
                .doesNotHaveDuplicates()
                .isSubsetOf(RowTables.sink(sink + " whole"));
    }

    /** Runs the job from a savepoint on until rows came of the lines that are new, then stops it. */
    private String run(String sink, String insert, String plan, boolean enabled, String savepoint)
            throws Exception {
        StreamTableEnvironment tables = tables(enabled, true, sink);
        Queue<String> results = RowTables.sink(sink);
        int before = results.size();
        if (savepoint != null) {
            tables.getConfig()
                    .getConfiguration()
                    .setString("execution.state-recovery.path", savepoint);
        }
        if (plan == null) {
            String text = tables.explainSql(insert);
            assertThat(text.contains("fused into")).isEqualTo(enabled);
            assertThat(text.contains("on batches: lines, groups"))
                    .isEqualTo(enabled && !insert.contains("WHERE"));
        }
        TableResult job =
                plan == null
                        ? tables.executeSql(insert)
                        : tables.loadPlan(PlanReference.fromJsonString(plan)).execute();
        JobClient client = job.getJobClient().orElseThrow();
        while (results.size() < before + 20) {
            assertThat(client.getJobStatus().get().isGloballyTerminalState()).isFalse();
            Thread.sleep(20);
        }
        return client.stopWithSavepoint(
                        false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(2, TimeUnit.MINUTES);
    }

    private StreamTableEnvironment tables(boolean enabled, boolean monitored, String sink)
            throws Exception {
        Files.createDirectories(lines);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        StreamTableEnvironment tables = new Plans(env).tables();
        tables.getConfig().set(GpuSqlOptions.ENABLED, enabled);
        tables.getConfig().set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(10));
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.TWO_PHASE);
        tables.executeSql(
                ("CREATE TABLE e (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH"
                                + " ('connector' = 'gpu-lines', 'path' = '%s', 'separator' = ';',"
                                + " 'quoted' = 'true', 'chunk-bytes' = '4kb'%s)")
                        .formatted(
                                EventLines.SCHEMA,
                                lines,
                                monitored ? ", 'monitor-interval' = '50 ms'" : ""));
        tables.executeSql(
                "CREATE TABLE results (k STRING, w TIMESTAMP(3), n BIGINT, s BIGINT, m INT, a BIGINT)"
                        + " WITH ('connector' = 'rows', 'sink' = '"
                        + sink
                        + "')");
        return tables;
    }
}
