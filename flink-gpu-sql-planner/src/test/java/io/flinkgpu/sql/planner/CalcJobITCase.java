package io.flinkgpu.sql.planner;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CollectionUtil;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs over a changelog give what Flink's own plan gives, in parallel and with rows reused.
 *
 * <p>Covers: CalcPlan.
 */
class CalcJobITCase {

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(3)
                            .build());

    private static final String QUERY =
            "SELECT i, redact(s), UPPER(TRIM(t)), l * 2, CONCAT(LEFT(u, 2), MD5(c)),"
                    + " REGEXP_REPLACE(REGEXP_REPLACE(c, '[a-z]+@', 'X@'), '[0-9]+', '#')"
                    + " FROM r WHERE i > 1 OR b";

    @ParameterizedTest
    @CsvSource({"1, false", "3, true"})
    void aChangelogKeepsItsRowsAndTheirKinds(int parallelism, boolean reuse) throws Exception {
        List<String> flinks = run(parallelism, reuse, false);
        List<String> ours = run(parallelism, reuse, true);
        assertThat(ours).hasSizeGreaterThan(2_000).isEqualTo(flinks);
        assertThat(ours).anyMatch(row -> row.startsWith("-D"));
    }

    /** What was given out before the failure comes again: each row once. */
    @ParameterizedTest
    @CsvSource({"1, false", "3, true"})
    void aFailureAtARowLosesNoneAndChangesNone(int parallelism, boolean unaligned)
            throws Exception {
        assertThat(afterAFailure(parallelism, unaligned, true))
                .hasSize(4_000)
                .isEqualTo(afterAFailure(parallelism, unaligned, false));
    }

    private static Set<String> afterAFailure(int parallelism, boolean unaligned, boolean enabled)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        StreamTableEnvironment tables = new Plans(env).tables();
        tables.getConfig().set(GpuSqlOptions.ENABLED, enabled);
        String name = "failure " + parallelism + unaligned + enabled;
        tables.executeSql(
                "CREATE TABLE e (%s, ts TIMESTAMP(3)) WITH ('connector' = 'events', 'count' = '4000',"
                                .formatted(EventRows.SCHEMA)
                        + " 'per-second' = '4000', 'fail-at' = '2718', 'name' = '"
                        + name
                        + "')");
        tables.executeSql(
                "CREATE TABLE results (ts TIMESTAMP(3), a STRING, b STRING, c DECIMAL(30, 5)) WITH"
                        + " ('connector' = 'rows', 'sink' = '"
                        + name
                        + "')");
        // Behind a shuffle, where barriers may overtake rows.
        tables.executeSql(
                        "INSERT INTO results SELECT ts, REDACT(k || '@example.com'),"
                                + " CASE WHEN k2 > 0 THEN REGEXP_REPLACE(k, '[a-z]+', 'x') ELSE"
                                + " CAST(l / 3 AS STRING) END, d30 FROM e"
                                + " JOIN (VALUES (TRUE), (FALSE)) AS v(flag) ON e.c = v.flag")
                .await();
        assertThat(EventTables.hasFailed(name)).isTrue();
        return new TreeSet<>(RowTables.sink(name));
    }

    /** There all is Flink's, and so no section says otherwise. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void batchModeIsFlinks(boolean enabled) {
        Configuration configuration = new Configuration();
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        Plans plans =
                new Plans(
                                StreamExecutionEnvironment.getExecutionEnvironment(configuration)
                                        .setParallelism(2))
                        .source("r", ", 'count' = '500'");
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, enabled);
        String query =
                "SELECT REDACT(c || ' x@example.com'), COUNT(*) FROM r WHERE c = 'a' GROUP BY c";
        assertThat(plans.tables().explainSql(query)).doesNotContain("Gpu", "GPU");
        assertThat(CollectionUtil.iteratorToList(plans.tables().executeSql(query).collect()))
                .singleElement()
                .extracting(row -> row.getField(0))
                .isEqualTo("a [EMAIL]");
    }

    private static List<String> run(int parallelism, boolean reuse, boolean enabled)
            throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(parallelism);
        Plans plans = new Plans(env).source("r", ", 'count' = '5000', 'changelog' = 'true'");
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, enabled);
        plans.tables().getConfig().set(PipelineOptions.OBJECT_REUSE, reuse);
        String sink = "changelog " + parallelism + reuse + enabled;
        plans.tables()
                .executeSql(
                        "CREATE TABLE results (a INT, b STRING, c STRING, d BIGINT, e STRING,"
                                + " f STRING) WITH ('connector' = 'rows', 'sink' = '"
                                + sink
                                + "')");
        plans.tables().executeSql("INSERT INTO results " + QUERY).await();
        List<String> rows = new ArrayList<>(RowTables.sink(sink));
        if (parallelism > 1) {
            Collections.sort(rows);
        }
        return rows;
    }
}
