package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random aggregations of files of lines as whole jobs, by Flink's own plan and with rows that are read in place: the
 * same results.
 *
 * <p>Covers: Fusion, GpuTableSourceScan, LineRow, InPlaceSerializer.
 */
class FusedLinesITCase {

    private static final int QUERIES = Integer.getInteger("sql.job.queries", 2);
    private static final int LINES = 6_000;
    private static final long FAILED_ROW = 4_321;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    @TempDir Path folder;

    /** What reads rows in place: local windows, or mini-batches, of a table; or windows of a Calc in batches. */
    private enum Shape {
        WINDOWS,
        GROUPS,
        CALC
    }

    /** What a job runs with. */
    private record Case(
            Shape shape,
            int parallelism,
            boolean reuse,
            boolean fails,
            int lateMillis,
            int delayMillis) {

        String zone() {
            return parallelism % 2 == 1 ? "America/New_York" : "UTC";
        }
    }

    @ParameterizedTest(name = "parallelism {0}, rows reused {1}, fails {2}")
    @CsvSource({
        // Late rows are dropped. With more than one subtask, checkpoints or a failure it is up to
        // chance which. With more than two, checkpoints are unaligned.
        "1, false, false, 8000, 2000",
        "1, true, false, 8000, 2000",
        "2, true, true, 6000, 8000",
        "4, false, true, 6000, 8000"
    })
    void windows(int parallelism, boolean reuse, boolean fails, int late, int delay)
            throws Exception {
        compare(new Case(Shape.WINDOWS, parallelism, reuse, fails, late, delay));
    }

    @ParameterizedTest(name = "parallelism {0}, rows reused {1}, fails {2}")
    @CsvSource({"1, false, false, 8000, 2000", "2, true, true, 6000, 8000"})
    void windowsOfACalcInBatches(int parallelism, boolean reuse, boolean fails, int late, int delay)
            throws Exception {
        compare(new Case(Shape.CALC, parallelism, reuse, fails, late, delay));
    }

    @ParameterizedTest(name = "parallelism {0}, rows reused {1}, fails {2}")
    @CsvSource({"1, false, true, 0, 0", "3, true, false, 0, 0"})
    void miniBatches(int parallelism, boolean reuse, boolean fails, int late, int delay)
            throws Exception {
        compare(new Case(Shape.GROUPS, parallelism, reuse, fails, late, delay));
    }

    private static String query(Case job, Random random, String table) {
        RandomAggregates aggregates = RandomAggregates.ofLines(random);
        return switch (job.shape) {
            case WINDOWS -> aggregates.windowQuery(table);
            case CALC ->
                    "SELECT k, window_start, window_end, %s FROM %s GROUP BY k, window_start, window_end"
                            .formatted(
                                    String.join(", ", aggregates.aggregates()),
                                    aggregates.window(table));
            case GROUPS ->
                    "SELECT k, k2, %s FROM %s GROUP BY k, k2"
                            .formatted(String.join(", ", aggregates.aggregates()), table);
        };
    }

    private void compare(Case job) throws Exception {
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        int files = job.parallelism == 1 ? 1 : 2 * job.parallelism;
        for (int i = 0; i < files; i++) {
            new EventLines(random)
                    .write(
                            folder.resolve("lines" + i),
                            i * LINES / files,
                            LINES / files,
                            Instant.parse("2024-03-10T06:57:00Z"),
                            100,
                            job.lateMillis);
        }
        List<String> sql = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            // With a view there is a Calc between the table and the aggregation.
            boolean calc = job.shape == Shape.CALC || i % 2 == 1 || job.fails && i == 0;
            sql.add(query(job, random, (calc ? "v" : "e") + i));
        }
        try {
            String name = job + " lines " + seed;
            List<List<String>> expected = run(sql, job, name + " Flink", false);
            List<List<String>> actual = run(sql, job, name + " ours", true);
            for (int i = 0; i < QUERIES; i++) {
                if (job.shape == Shape.GROUPS) {
                    assertThat(last(actual.get(i))).as(sql.get(i)).isEqualTo(last(expected.get(i)));
                } else {
                    // What was given out before a failure comes again: each window once.
                    assertThat(actual.get(i).stream().distinct().toList())
                            .as(sql.get(i))
                            .containsExactlyInAnyOrderElementsOf(
                                    expected.get(i).stream().distinct().toList());
                }
                assertThat(expected.get(i)).isNotEmpty();
            }
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed=" + seed + "L", e);
        }
    }

    private List<List<String>> run(List<String> queries, Case job, String name, boolean enabled)
            throws Exception {
        StreamTableEnvironment tables = tables(job, enabled);
        StatementSet statements = tables.createStatementSet();
        for (int i = 0; i < queries.size(); i++) {
            table(tables, i, job, name);
            tables.executeSql(
                    "CREATE TABLE sink%d (%s) WITH ('connector' = 'rows', 'sink' = '%s')"
                            .formatted(i, columns(tables, queries.get(i)), name + " " + i));
            statements.addInsertSql("INSERT INTO sink" + i + " " + queries.get(i));
        }
        String explained = statements.explain();
        String fused =
                job.shape == Shape.CALC
                        ? "Calc: on batches: k[^;]*; fused into"
                        : "TableSourceScan: on batches: lines; fused into";
        assertThat(explained.split(fused, -1))
                .as(explained)
                .hasSize(enabled ? queries.size() + 1 : 1);
        statements.execute().await();
        assertThat(FailOnce.hasFailed(name)).isEqualTo(job.fails);
        List<List<String>> results = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            results.add(List.copyOf(RowTables.sink(name + " " + i)));
        }
        return results;
    }

    private static StreamTableEnvironment tables(Case job, boolean enabled) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        if (job.lateMillis <= job.delayMillis) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        }
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, job.parallelism > 2);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(job.parallelism);
        StreamTableEnvironment tables = new Plans(env).tables();
        tables.createTemporarySystemFunction("fail_once", FailOnce.class);
        var config = tables.getConfig();
        config.set(GpuSqlOptions.ENABLED, enabled);
        config.set(PipelineOptions.OBJECT_REUSE, job.reuse);
        config.set(
                OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                AggregatePhaseStrategy.TWO_PHASE);
        config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, job.shape == Shape.GROUPS);
        config.set(
                ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY, Duration.ofMillis(100));
        config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 300L);
        config.setLocalTimeZone(ZoneId.of(job.zone()));
        return tables;
    }

    /** A table of its own for each query, as a scan of several has more than one reader; and a view of it. */
    private void table(StreamTableEnvironment tables, int query, Case job, String name) {
        tables.executeSql(
                ("CREATE TABLE e%d (%s, ts %s(3), WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND) WITH"
                                + " ('connector' = 'gpu-lines', 'path' = '%s', 'separator' = ';',"
                                + " 'quoted' = 'true', 'chunk-bytes' = '4kb', 'split-bytes' = '%s',"
                                + " 'scan.watermark.emit.strategy' = 'on-event')")
                        .formatted(
                                query,
                                EventLines.SCHEMA,
                                job.zone().equals("UTC") ? "TIMESTAMP" : "TIMESTAMP_LTZ",
                                job.delayMillis / 1000,
                                folder,
                                job.parallelism == 1 ? "64mb" : "16kb"));
        tables.executeSql(
                ("CREATE VIEW v%d AS SELECT %s AS k, k2, k3 + 1 AS k3, l, de, d18, d, t3, ts"
                                + " FROM e%d WHERE fail_once('%s', %d, n) AND (l IS NULL OR l <> 3)")
                        .formatted(
                                query,
                                job.shape == Shape.CALC
                                        ? "REDACT(k || ' jo@example.org')"
                                        : "UPPER(k) || '!'",
                                query,
                                name,
                                job.fails ? FAILED_ROW : -1));
    }

    private static String columns(StreamTableEnvironment tables, String query) {
        return tables.sqlQuery(query).getResolvedSchema().getColumns().stream()
                .map(
                        column ->
                                "`%s` %s"
                                        .formatted(
                                                column.getName(),
                                                column.getDataType()
                                                        .getLogicalType()
                                                        .asSerializableString()))
                .collect(Collectors.joining(", "));
    }

    /** The last row of each group, by the first two columns. */
    private static Map<String, String> last(List<String> changes) {
        Map<String, String> groups = new HashMap<>();
        for (String change : changes) {
            if (change.startsWith("+")) {
                String[] fields = change.substring(3).split(", ");
                groups.put(fields[0] + ", " + fields[1], change.substring(2));
            }
        }
        return groups;
    }
}
