package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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
