package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
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
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Windows of files of lines as whole jobs, by Flink's own plan and with lines that are aggregated batches at a time:
 * the same results.
 *
 * <p>Covers: LineWindows, LinesAggregation, SlicedLines, LinePartialsOutput, LinePartialsAggregator.
 */
class LineWindowsITCase {

    private static final int LINES = 6_000;

    private static final List<String> AGGREGATES =
            List.of(
                    "COUNT(*)",
                    "COUNT(k)",
                    "COUNT(l)",
                    "COUNT(d)",
                    "SUM(l)",
                    "SUM(k2)",
                    "AVG(k3)",
                    "AVG(de)",
                    "SUM(d18)",
                    "MIN(k2)",
                    "MAX(l)",
                    "MIN(de)",
                    "MAX(d18)",
                    "MIN(t3)",
                    "MAX(t3)",
                    // Flink's last digits, and the sign of its zeros, depend on the order of rows.
                    "CAST(CASE WHEN SUM(d) = 0 THEN 0e0 ELSE SUM(d) END AS FLOAT)",
                    "CAST(CASE WHEN AVG(d) = 0 THEN 0e0 ELSE AVG(d) END AS FLOAT)",
                    "CASE WHEN MIN(d) = 0 THEN 0e0 ELSE MIN(d) END",
                    "CASE WHEN MAX(d) = 0 THEN 0e0 ELSE MAX(d) END");

    private static final List<String> WINDOWS =
            List.of(
                    "TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '10' SECOND)",
                    "TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '3' SECOND)",
                    "TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1' DAY)",
                    "HOP(TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)",
                    "HOP(TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND, INTERVAL '-2' SECOND)",
                    "CUMULATE(TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)");

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    @TempDir Path folder;

    @ParameterizedTest(name = "parallelism {0}, rows reused {1}, fails {2}")
    @CsvSource({"1, false, false", "2, true, true", "4, false, true"})
    void windows(int parallelism, boolean reuse, boolean fails) throws Exception {
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int i = 0; i < 2 * parallelism; i++) {
            Path file = folder.resolve("lines" + i);
            int lines = LINES / (2 * parallelism);
            new EventLines(random)
                    .write(
                            file,
                            i * lines,
                            lines,
                            Instant.parse("2024-03-10T06:57:00Z"),
                            100,
                            1_500);
            Files.writeString(file, "neither;nor\n", StandardOpenOption.APPEND);
        }
        String name = parallelism + " line windows " + seed;
        String query = query(random, fails ? name : null);
        try {
            List<String> expected = run(query, parallelism, reuse, name + " Flink", false);
            List<String> actual = run(query, parallelism, reuse, name, true);
            assertThat(actual).as(query).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(expected).isNotEmpty();
            assertThat(FailOnce.hasFailed(name)).isEqualTo(fails);
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed=" + seed + "L, " + query, e);
        }
    }

    private static String query(Random random, String fails) {
        List<String> columns = new ArrayList<>();
        for (int i = 3 + random.nextInt(6); i >= 0; i--) {
            columns.add(AGGREGATES.get(random.nextInt(AGGREGATES.size())) + " AS r" + i);
        }
        String query =
                "SELECT k, window_start, window_end, MAX(n) AS n, %s FROM TABLE(%s) GROUP BY k, window_start, window_end"
                        .formatted(
                                String.join(", ", columns),
                                WINDOWS.get(random.nextInt(WINDOWS.size())));
        return fails == null
                ? query
                : "SELECT * FROM (%s) WHERE fail_once('%s', 1, CASE WHEN n > 4321 THEN CAST(1 AS BIGINT) ELSE 2 END)"
                        .formatted(query, fails);
    }

    /** Each row once: what was given out before a failure comes again. */
    private List<String> run(
            String query, int parallelism, boolean reuse, String name, boolean enabled)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, parallelism > 2);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        StreamTableEnvironment tables = new Plans(env).tables();
        tables.createTemporarySystemFunction("fail_once", FailOnce.class);
        var config = tables.getConfig();
        config.set(GpuSqlOptions.ENABLED, enabled);
        config.set(GpuSqlOptions.FLOAT_SUMS, GpuSqlOptions.FloatSums.EXACT);
        config.set(PipelineOptions.OBJECT_REUSE, reuse);
        config.set(
                OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                AggregatePhaseStrategy.TWO_PHASE);
        tables.executeSql(
                ("CREATE TABLE e (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND(3)) WITH"
                                + " ('connector' = 'gpu-lines', 'path' = '%s', 'separator' = ';', 'quoted' ="
                                + " 'true', 'malformed' = 'skip', 'chunk-bytes' = '4kb', 'split-bytes' = '16kb')")
                        .formatted(EventLines.SCHEMA, parallelism == 1 ? 2 : 600, folder));
        String text = tables.explainSql(query);
        assertThat(text.contains("TableSourceScan: on batches: lines, groups; fused into"))
                .as(text)
                .isEqualTo(enabled);
        tables.executeSql(
                        "CREATE TABLE sink WITH ('connector' = 'rows', 'sink' = '%s') AS %s"
                                .formatted(name, query))
                .await();
        return RowTables.sink(name).stream().distinct().toList();
    }
}
