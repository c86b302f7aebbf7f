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

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which aggregations are planned in tables, and what is said about it; nothing is run.
 *
 * <p>Covers: GpuLocalWindowAggregate, GpuLocalGroupAggregate.
 */
class AggregatePlansTest {

    private static final String WINDOWS =
            " FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k,"
                    + " window_start, window_end";

    private final TableEnvironment tables = new Plans().tables();

    @BeforeEach
    void setUp() {
        tables.executeSql(
                "CREATE TABLE e (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'events')"
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
    void aggregationsWithoutALocalHalfSaySo() {
        assertThat(tables.explainSql("SELECT k, SUM(i) FROM e GROUP BY k"))
                .contains("] GroupAggregate: Flink", "table.exec.mini-batch.enabled = true");
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.ONE_PHASE);
        assertThat(tables.explainSql("SELECT SUM(i)" + WINDOWS))
                .contains("] WindowAggregate: Flink", "it has no local half");
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

    @Test
    void aCompiledPlanIsFlinksBeforeAndAfterItIsTranslated() {
        miniBatch();
        tables.executeSql(
                "CREATE TABLE sink (s BIGINT, n INT) WITH ('connector' = 'rows', 'sink' = 'x')");
        for (String query :
                new String[] {
                    "SELECT COUNT(*), SUM(i)" + WINDOWS, "SELECT COUNT(*), SUM(i) FROM e GROUP BY k"
                }) {
            String insert = "INSERT INTO sink " + query;
            set("gpu.sql.enabled", "false");
            String flinks = compile(insert).asJsonString();
            set("gpu.sql.enabled", "true");
            CompiledPlan plan = compile(insert);
            assertThat(plan.asJsonString()).isEqualTo(flinks);
            assertThat(plan.explain()).contains("GpuLocal", "Aggregate: on batches");
            assertThat(plan.asJsonString()).isEqualTo(flinks);
            assertThat(plan.explain()).as("again").contains("GpuLocal");
        }
    }

    private CompiledPlan compile(String insert) {
        ExecNodeContext.resetIdCounter();
        return ((TableEnvironmentImpl) tables).compilePlanSql(insert);
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
