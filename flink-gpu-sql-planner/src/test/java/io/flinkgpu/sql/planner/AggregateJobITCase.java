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
import org.apache.flink.table.catalog.Column;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random aggregations as whole jobs, by Flink's own plan and by ours: the same results.
 *
 * <p>Covers: Acceleration.
 */
class AggregateJobITCase {

    private static final int QUERIES = Integer.getInteger("sql.job.queries", 4);

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    /** What a job runs with. */
    private record Case(
            AggregatePhaseStrategy phases,
            int parallelism,
            boolean reuse,
            boolean fails,
            int lateMillis,
            int delayMillis) {}

    @ParameterizedTest(name = "{0}, parallelism {1}, rows reused {2}, fails {3}")
    @CsvSource({
        // Late rows are dropped. With more than one subtask, checkpoints or a failure it is up to
        // chance which. With more than two, checkpoints are unaligned.
        "TWO_PHASE, 1, false, false, 8000, 2000",
        "TWO_PHASE, 1, true, true, 6000, 8000",
        "TWO_PHASE, 2, true, false, 6000, 8000",
        "TWO_PHASE, 4, false, true, 6000, 8000",
        "ONE_PHASE, 1, true, false, 8000, 2000",
        "ONE_PHASE, 1, false, true, 6000, 8000",
        "ONE_PHASE, 2, false, false, 6000, 8000",
        "ONE_PHASE, 4, true, true, 6000, 8000"
    })
    void windows(
            AggregatePhaseStrategy phases,
            int parallelism,
            boolean reuse,
            boolean fails,
            int late,
            int delay)
            throws Exception {
        Case job = new Case(phases, parallelism, reuse, fails, late, delay);
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        Random random = new Random(seed);
        try {
            List<String> queries = new ArrayList<>();
            for (int i = 0; i < QUERIES; i++) {
                queries.add(new RandomAggregates(random).windowQuery("e"));
            }
            queries.add(new RandomAggregates(random).windowOfWindowsQuery("e"));
            String zone = parallelism % 2 == 1 ? "America/New_York" : "UTC";
            String name = job + " " + seed;
            List<TreeSet<String>> expected = run(queries, job, zone, name + " Flink", false);
            List<TreeSet<String>> actual = run(queries, job, zone, name + " ours", true);
            for (int i = 0; i < queries.size(); i++) {
                TreeSet<String> others = new TreeSet<>(expected.get(i));
                others.removeAll(actual.get(i));
                assertThat(others).as("not ours: " + queries.get(i)).isEmpty();
                actual.get(i).removeAll(expected.get(i));
                assertThat(actual.get(i)).as("not Flink's: " + queries.get(i)).isEmpty();
                assertThat(expected.get(i)).isNotEmpty();
            }
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed=" + seed + "L", e);
        }
    }

    @ParameterizedTest(name = "parallelism {0}, rows reused {1}, fails {2}")
    @CsvSource({"1, false, true, 0, 0", "3, true, false, 0, 0"})
    void miniBatches(int parallelism, boolean reuse, boolean fails, int late, int delay)
            throws Exception {
        Case job =
                new Case(AggregatePhaseStrategy.TWO_PHASE, parallelism, reuse, fails, late, delay);
        long seed = Long.getLong("sql.seed", new Random().nextLong());
        try {
            String query =
                    "SELECT k2, b, %s FROM e GROUP BY k2, b"
                            .formatted(
                                    String.join(
                                            ", ",
                                            new RandomAggregates(new Random(seed)).aggregates()));
            String name = job + " groups " + seed;
            assertThat(last(run(List.of(query), job, "UTC", name + " ours", true, true), 2))
                    .as(query)
                    .isEqualTo(
                            last(run(List.of(query), job, "UTC", name + " Flink", false, true), 2))
                    .isNotEmpty();
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed=" + seed + "L", e);
        }
    }

    private static List<TreeSet<String>> run(
            List<String> queries, Case job, String zone, String name, boolean enabled)
            throws Exception {
        // What was given out before a failure comes again: each window once.
        return run(queries, job, zone, name, enabled, false).stream().map(TreeSet::new).toList();
    }

    private static List<List<String>> run(
            List<String> queries,
            Case job,
            String zone,
            String name,
            boolean enabled,
            boolean miniBatch)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        configuration.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
        if (job.lateMillis <= job.delayMillis) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        }
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, job.parallelism > 2);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(job.parallelism);
        StreamTableEnvironment tables = new Plans(env).tables();
        var config = tables.getConfig();
        config.set(GpuSqlOptions.ENABLED, enabled);
        config.set(PipelineOptions.OBJECT_REUSE, job.reuse);
        config.set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, job.phases);
        config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, miniBatch);
        config.set(
                ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY, Duration.ofMillis(100));
        config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 300L);
        config.setLocalTimeZone(ZoneId.of(zone));
        tables.executeSql(
                ("CREATE TABLE e (%s, ts %s(3), WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND) WITH"
                                + " ('connector' = 'events', 'count' = '6000', 'per-second' = '4000',"
                                + " 'base' = '2024-03-10T06:57:00Z', 'late-millis' = '%d', 'fail-at' = '%d',"
                                + " 'name' = '%s')")
                        .formatted(
                                EventRows.SCHEMA,
                                zone.equals("UTC") ? "TIMESTAMP" : "TIMESTAMP_LTZ",
                                job.delayMillis / 1000,
                                job.lateMillis,
                                job.fails ? 4321 : -1,
                                name));
        StatementSet statements = tables.createStatementSet();
        for (int i = 0; i < queries.size(); i++) {
            String sink = name + " " + i;
            tables.executeSql(
                    "CREATE TABLE sink%d (%s) WITH ('connector' = 'rows', 'sink' = '%s')"
                            .formatted(i, columns(tables, queries.get(i)), sink));
            statements.addInsertSql("INSERT INTO sink" + i + " " + queries.get(i));
        }
        statements.execute().await();
        assertThat(EventTables.hasFailed(name)).isEqualTo(job.fails);
        List<List<String>> results = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            results.add(List.copyOf(RowTables.sink(name + " " + i)));
        }
        return results;
    }

    private static String columns(StreamTableEnvironment tables, String query) {
        return tables.sqlQuery(query).getResolvedSchema().getColumns().stream()
                .map(column -> "`%s` %s".formatted(column.getName(), type(column)))
                .collect(Collectors.joining(", "));
    }

    private static String type(Column column) {
        return column.getDataType().getLogicalType().asSerializableString();
    }

    /** The last row of each group, by the first so many columns. */
    private static Map<String, String> last(List<List<String>> changes, int keys) {
        Map<String, String> groups = new HashMap<>();
        for (String change : changes.get(0)) {
            if (change.startsWith("+")) {
                String[] fields = change.substring(3).split(", ");
                groups.put(
                        String.join(", ", List.of(fields).subList(0, keys)), change.substring(2));
            }
        }
        return groups;
    }
}
