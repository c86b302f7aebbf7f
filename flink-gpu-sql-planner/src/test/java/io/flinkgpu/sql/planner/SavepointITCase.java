package io.flinkgpu.sql.planner;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job goes on from a savepoint of Flink's own plan, and Flink's own from one of its savepoints.
 *
 * <p>Covers: CalcPlan.
 */
class SavepointITCase {

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static final String INSERT =
            "INSERT INTO counts SELECT k, COUNT(*), SUM(i) FROM"
                    + " (SELECT CONCAT(LEFT(redact(c), 3), UPPER(c)) AS k, i + 0 AS i FROM r)"
                    + " GROUP BY k";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void savepointsGoBothWays(boolean compiled) throws Exception {
        String sink = "savepoints " + compiled;
        String plan = compiled ? compile(sink) : null;
        String savepoint = null;
        for (boolean enabled : new boolean[] {false, true, true, false}) {
            savepoint = run(200, sink, plan, enabled, savepoint);
        }
        Map<String, Long> interrupted = net(RowTables.sink(sink));
        long all = rows(interrupted);
        assertThat(all).isGreaterThanOrEqualTo(800);

        StreamTableEnvironment tables = tables(false, all, 0, sink + " whole");
        tables.executeSql(INSERT).await();
        assertThat(net(RowTables.sink(sink + " whole"))).isEqualTo(interrupted);
    }

    /** Runs the job from a savepoint on until so many more rows were counted, then stops it. */
    private String run(int rows, String sink, String plan, boolean enabled, String savepoint)
            throws Exception {
        StreamTableEnvironment tables = tables(enabled, Long.MAX_VALUE, 500, sink);
        Queue<String> results = RowTables.sink(sink);
        long before = rows(net(results));
        if (savepoint != null) {
            tables.getConfig()
                    .getConfiguration()
                    .setString("execution.state-recovery.path", savepoint);
        }
        TableResult job =
                plan == null
                        ? tables.executeSql(INSERT)
                        : tables.loadPlan(PlanReference.fromJsonString(plan)).execute();
        JobClient client = job.getJobClient().orElseThrow();
        while (rows(net(results)) < before + rows) {
            assertThat(client.getJobStatus().get().isGloballyTerminalState()).isFalse();
            Thread.sleep(20);
        }
        return client.stopWithSavepoint(
                        false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(2, TimeUnit.MINUTES);
    }

    private String compile(String sink) throws Exception {
        CompiledPlan plan = tables(true, Long.MAX_VALUE, 500, sink).compilePlanSql(INSERT);
        return plan.asJsonString();
    }

    private static StreamTableEnvironment tables(
            boolean enabled, long count, int perSecond, String sink) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        Plans plans =
                new Plans(env)
                        .source(
                                "r",
                                ", 'count' = '%d'%s"
                                        .formatted(
                                                count,
                                                perSecond == 0
                                                        ? ""
                                                        : ", 'per-second' = '" + perSecond + "'"));
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, enabled);
        plans.tables()
                .executeSql(
                        "CREATE TABLE counts (k STRING, n BIGINT, s INT) WITH"
                                + " ('connector' = 'rows', 'sink' = '"
                                + sink
                                + "')");
        return plans.tables();
    }

    private static long rows(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(count -> count).sum();
    }

    /** The count of each key that is left once all changes are applied. */
    private static Map<String, Long> net(Queue<String> changes) {
        Map<String, Long> counts = new HashMap<>();
        for (String change : changes) {
            int end = change.lastIndexOf(", ");
            int begin = change.lastIndexOf(", ", end - 1);
            String key = change.substring(3, begin);
            long count = Long.parseLong(change.substring(begin + 2, end));
            if (change.startsWith("+")) {
                counts.merge(key, count, Long::sum);
            } else {
                counts.merge(key, -count, Long::sum);
            }
        }
        counts.values().removeIf(count -> count == 0);
        return counts;
    }
}
