package io.flinkgpu.sql.planner;

import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which aggregations are planned in tables, and what is said about it; nothing is run.
 *
 * <p>Covers: GpuLocalWindowAggregate, GpuWindowAggregate, GpuLocalGroupAggregate.
 */
class AggregatePlansTest {

    private static final String WINDOWS =
            " FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k,"
                    + " window_start, window_end";

    private final TableEnvironment tables = new Plans().tables();

    @BeforeEach
    void setUp() {
        tables.executeSql(
                "CREATE TABLE e (%s, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'events')"
                        .formatted(EventRows.SCHEMA));
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.TWO_PHASE);
    }

    @Test
    void explainSaysWhatIsInTables() {
        assertThat(tables.explainSql("SELECT k, SUM(i), COUNT(*) FILTER (WHERE b)" + WINDOWS))
                .contains("GpuLocalWindowAggregate(groupBy=[k]", "GlobalWindowAggregate(")
                .containsPattern(
                        "\\[\\d+] LocalWindowAggregate: on batches: SUM\\(i\\), COUNT\\(\\*\\) FILTER"
                                + " \\$f\\d");
        assertThat(tables.explainSql("SELECT k, window_end" + WINDOWS))
                .contains("LocalWindowAggregate: on batches: keys");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COUNT(DISTINCT i) | DISTINCT needs the values themselves",
                "SUM(d) | SUM: of DOUBLE depends on the order of rows in Flink; gpu.sql.float-sums = EXACT does not",
                "MAX(d) | MAX: of DOUBLE depends on the order of rows",
                "AVG(f) | AVG: of FLOAT is not supported",
                "MIN(k2) FILTER (WHERE b), MIN(d30) | MIN: of DECIMAL(30, 5) is not supported",
                "MAX(k6) | MAX: of TIMESTAMP(9) is not supported",
                "MAX(b) | MAX: of BOOLEAN is not supported",
                "LISTAGG(k) | LISTAGG is not supported"
            })
    void explainSaysWhyAWindowStaysFlinks(String aggregate, String reason) {
        assertThat(tables.explainSql("SELECT " + aggregate + WINDOWS))
                .doesNotContain("GpuLocal")
                .contains("Aggregate: Flink", "    Flink: " + reason);
    }

    @Test
    void doublesAreSummedIfTheyMayBeRoundedOnce() {
        set("gpu.sql.float-sums", "EXACT");
        assertThat(tables.explainSql("SELECT SUM(d), MAX(d)" + WINDOWS))
                .contains("LocalWindowAggregate: on batches: SUM(d), MAX(d)");
    }

    @Test
    void nodesAndFunctionsCanBeExcluded() {
        set("gpu.sql.exclude", "LocalWindowAggregate");
        assertThat(tables.explainSql("SELECT SUM(i)" + WINDOWS))
                .doesNotContain("GpuLocal")
                .contains("LocalWindowAggregate is excluded by gpu.sql.exclude");
        set("gpu.sql.exclude", "AVG");
        assertThat(tables.explainSql("SELECT AVG(i), SUM(i)" + WINDOWS))
                .doesNotContain("GpuLocal")
                .contains("AVG is excluded by gpu.sql.exclude");
    }

    @Test
    void groupsWithoutALocalHalfSaySo() {
        assertThat(tables.explainSql("SELECT k, SUM(i) FROM e GROUP BY k"))
                .contains("] GroupAggregate: Flink", "table.exec.mini-batch.enabled = true");
    }

    @Test
    void windowsOfOnePhase() {
        onePhase();
        assertThat(tables.explainSql("SELECT k, SUM(i), COUNT(*) FILTER (WHERE b)" + WINDOWS))
                .contains("GpuWindowAggregate(groupBy=[k]")
                .containsPattern(
                        "\\[\\d+] WindowAggregate: on batches: SUM\\(i\\), COUNT\\(\\*\\) FILTER \\$f\\d");
        assertThat(tables.explainSql("SELECT k, SUM(d)" + WINDOWS))
                .doesNotContain("GpuWindow")
                .contains("] WindowAggregate: Flink", "    Flink: SUM: of DOUBLE depends");
        set("gpu.sql.exclude", "WindowAggregate");
        assertThat(tables.explainSql("SELECT SUM(i)" + WINDOWS))
                .doesNotContain("GpuWindow")
                .contains("WindowAggregate is excluded by gpu.sql.exclude");
    }

    @Test
    void windowsOfOnePhaseThatStayFlinks() {
        onePhase();
        assertThat(tables.explainSql("SELECT k, COUNT(DISTINCT i)" + WINDOWS))
                .contains("] WindowAggregate: Flink", "DISTINCT needs the values themselves");
        assertThat(
                        tables.explainSql(
                                "SELECT k, COUNT(*) FROM TABLE(SESSION(TABLE e PARTITION BY k, DESCRIPTOR(ts),"
                                        + " INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end"))
                .contains("] WindowAggregate: Flink", "each row of a session goes into state");
        assertThat(tables.explainSql("SELECT k, COUNT(*)" + WINDOWS.replace("(ts)", "(p)")))
                .contains("] WindowAggregate: Flink", "    Flink: processing time");
        tables.getConfig().set(ExecutionConfigOptions.TABLE_EXEC_ASYNC_STATE_ENABLED, true);
        assertThat(tables.explainSql("SELECT k, COUNT(*)" + WINDOWS))
                .contains("] WindowAggregate: Flink", "table.exec.async-state.enabled = true");
    }

    @Test
    void miniBatches() {
        miniBatch();
        assertThat(tables.explainSql("SELECT k, SUM(i), AVG(de) FROM e GROUP BY k"))
                .contains(
                        "GpuLocalGroupAggregate(",
                        "LocalGroupAggregate: on batches: SUM(i), AVG(de)");
        assertThat(
                        tables.explainSql(
                                "SELECT s, COUNT(*) FROM (SELECT k, SUM(i) AS s FROM e GROUP BY k) GROUP"
                                        + " BY s"))
                .contains("LocalGroupAggregate: Flink", "rows may take others back");
    }

    @ParameterizedTest
    @EnumSource(
            value = AggregatePhaseStrategy.class,
            names = {"ONE_PHASE", "TWO_PHASE"})
    void aCompiledPlanIsFlinksBeforeAndAfterItIsTranslated(AggregatePhaseStrategy phases) {
        miniBatch();
        tables.getConfig().set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, phases);
        tables.executeSql(
                "CREATE TABLE sink (s BIGINT, n INT) WITH ('connector' = 'rows', 'sink' = 'x')");
        boolean isOnePhase = phases == AggregatePhaseStrategy.ONE_PHASE;
        String kind = isOnePhase ? "GpuWindow" : "GpuLocal";
        List<String> queries = new ArrayList<>(List.of("SELECT COUNT(*), SUM(i)" + WINDOWS));
        if (!isOnePhase) {
            queries.add("SELECT COUNT(*), SUM(i) FROM e GROUP BY k");
        }
        for (String query : queries) {
            String insert = "INSERT INTO sink " + query;
            set("gpu.sql.enabled", "false");
            String flinks = compile(insert).asJsonString();
            set("gpu.sql.enabled", "true");
            CompiledPlan plan = compile(insert);
            assertThat(plan.asJsonString()).isEqualTo(flinks);
            assertThat(plan.explain()).contains(kind, "Aggregate: on batches");
            assertThat(plan.asJsonString()).isEqualTo(flinks);
            assertThat(plan.explain()).as("again").contains(kind);
        }
    }

    private CompiledPlan compile(String insert) {
        ExecNodeContext.resetIdCounter();
        return ((TableEnvironmentImpl) tables).compilePlanSql(insert);
    }

    private void onePhase() {
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.ONE_PHASE);
    }

    private void miniBatch() {
        tables.getConfig()
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true)
                .set(
                        ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY,
                        Duration.ofSeconds(1))
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, 100L);
    }

    private void set(String option, String value) {
        tables.getConfig().getConfiguration().setString(option, value);
    }
}
