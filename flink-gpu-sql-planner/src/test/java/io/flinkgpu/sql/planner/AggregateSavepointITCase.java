package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job of windows goes on from a savepoint of Flink's own plan, and Flink's own from one of its savepoints.
 *
 * <p>Covers: AggregatePlan, GpuWindowAggregate.
 */
class AggregateSavepointITCase {

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static final String INSERT =
            "INSERT INTO results SELECT c, window_end, COUNT(*), SUM(n), MIN(i), AVG(l) FROM TABLE(%s("
                    + "TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '15' SECOND)) GROUP BY c,"
                    + " window_start, window_end";

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "false, TWO_PHASE, HOP, hashmap",
        "true, TWO_PHASE, HOP, hashmap",
        "false, ONE_PHASE, HOP, hashmap",
        "true, ONE_PHASE, CUMULATE, hashmap",
        "false, ONE_PHASE, HOP, rocksdb"
    })
    void savepointsGoBothWays(
            boolean compiled, AggregatePhaseStrategy phases, String windows, String backend)
            throws Exception {
        String sink = "window savepoints " + compiled + phases + backend;
        String insert = INSERT.formatted(windows);
        String plan =
                compiled
                        ? tables(phases, true, Long.MAX_VALUE, 500, sink)
                                .compilePlanSql(insert)
                                .asJsonString()
                        : null;
        String savepoint = null;
        for (boolean enabled : new boolean[] {false, true, true, false}) {
            savepoint = run(phases, 12, sink, insert, plan, enabled, backend, savepoint);
        }
        List<String> interrupted = List.copyOf(RowTables.sink(sink));

        StreamTableEnvironment tables = tables(phases, false, 40_000, 0, sink + " whole");
        tables.executeSql(insert).await();
        assertThat(interrupted)
                .hasSizeGreaterThanOrEqualTo(48)
                .doesNotHaveDuplicates()
                .isSubsetOf(RowTables.sink(sink + " whole"));
    }

    /** Runs the job from a savepoint on until {@code rows} more rows came, then stops it. */
    private String run(
            AggregatePhaseStrategy phases,
            int rows,
            String sink,
            String insert,
            String plan,
            boolean enabled,
            String backend,
            String savepoint)
            throws Exception {
        StreamTableEnvironment tables = tables(phases, enabled, Long.MAX_VALUE, 500, sink);
        tables.getConfig().set(StateBackendOptions.STATE_BACKEND, backend);
        Queue<String> results = RowTables.sink(sink);
        int before = results.size();
        if (savepoint != null) {
            tables.getConfig()
                    .getConfiguration()
                    .setString("execution.state-recovery.path", savepoint);
        }
        TableResult job =
                plan == null
                        ? tables.executeSql(insert)
                        : tables.loadPlan(PlanReference.fromJsonString(plan)).execute();
        JobClient client = job.getJobClient().orElseThrow();
        while (results.size() < before + rows) {
            assertThat(client.getJobStatus().get().isGloballyTerminalState()).isFalse();
            Thread.sleep(20);
        }
        return client.stopWithSavepoint(
                        false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(2, TimeUnit.MINUTES);
    }

    private static StreamTableEnvironment tables(
            AggregatePhaseStrategy phases,
            boolean enabled,
            long count,
            int perSecond,
            String sink) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        StreamTableEnvironment tables = new Plans(env).tables();
        tables.getConfig().set(GpuSqlOptions.ENABLED, enabled);
        tables.getConfig().set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(10));
        tables.getConfig().set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, phases);
        tables.executeSql(
                "CREATE TABLE e (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'events', 'count' = '%d', 'per-second' = '%d')"
                        .formatted(EventRows.SCHEMA, count, perSecond));
        tables.executeSql(
                "CREATE TABLE results (c BOOLEAN, w TIMESTAMP(3), n BIGINT, s BIGINT, m INT, a BIGINT)"
                        + " WITH ('connector' = 'rows', 'sink' = '"
                        + sink
                        + "')");
        return tables;
    }
}
