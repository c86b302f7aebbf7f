package io.flinkgpu.sql.planner;

import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.sql.aggregate.InPlaceSerializer;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which nodes give a local aggregation rows in place, and what is said about it; nothing is run.
 *
 * <p>Covers: Fusion, InPlaceReader, LineWindows, PassedCalc, LinesTableSource.
 */
class FusedPlansTest {

    private static final String WINDOWS =
            " FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k,"
                    + " window_start, window_end";

    private static final String FUSED = "TableSourceScan: on batches: lines; fused into [";

    private final Plans plans = new Plans();
    private final TableEnvironment tables = plans.tables();

    @BeforeEach
    void setUp() {
        table("e", "'separator' = ';'");
        tables.executeSql("CREATE VIEW v AS SELECT k, l + 1 AS l, ts FROM e WHERE k2 > 3");
        tables.getConfig()
                .set(
                        OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY,
                        AggregatePhaseStrategy.TWO_PHASE);
    }

    private void table(String name, String options) {
        create(name, "ts TIMESTAMP(3), WATERMARK FOR ts AS ts", options);
    }

    private void create(String name, String time, String options) {
        tables.executeSql(
                "CREATE TABLE %s (%s, %s) WITH ('connector' = 'gpu-lines', 'path' = '/data', %s)"
                        .formatted(name, EventLines.SCHEMA, time, options));
    }

    @Test
    void aScanIsFusedIntoAWindow() {
        assertThat(tables.explainSql("SELECT k, SUM(l)" + WINDOWS.formatted("e")))
                .contains("GpuTableSourceScan(", "GpuLocalWindowAggregate(")
                .containsPattern(
                        "\\[(\\d+)] TableSourceScan: on batches: lines, groups; fused into \\[(\\d+)]\\R"
                                + "\\[\\2] LocalWindowAggregate: on batches: SUM\\(l\\)\\R");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT k, COUNT(*), COUNT(d), AVG(de), MIN(t3) FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL"
                        + " '10' SECOND)) GROUP BY k, window_start, window_end",
                "SELECT window_end, k, MAX(d18) FROM TABLE(HOP(TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL"
                        + " '15' SECOND)) GROUP BY window_end, window_start, k",
                "SELECT k, COUNT(k) FROM TABLE(CUMULATE(TABLE e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20'"
                        + " SECOND)) GROUP BY k, window_start, window_end"
            })
    void linesAreAggregatedByOneText(String query) {
        assertThat(tables.explainSql(query)).contains("on batches: lines, groups; fused into");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k2, SUM(l) FROM e GROUP BY k2",
                "k, SUM(l) FROM e GROUP BY k, k2",
                "SUM(l) FROM e GROUP BY ",
                "k, SUM(l) FILTER (WHERE l > 3) FROM e GROUP BY k",
                "k, SUM(l) FROM v GROUP BY k",
                "k, SUM(l) FROM zoned GROUP BY k",
                "k, SUM(l) FROM on_event GROUP BY k",
                "k, SUM(l) FROM idle GROUP BY k",
                "k, SUM(l) FROM computed GROUP BY k",
                "k, SUM(l) FROM never GROUP BY k"
            })
    void otherLinesAreRowsInPlace(String query) {
        table("on_event", "'separator' = ';', 'scan.watermark.emit.strategy' = 'on-event'");
        table("idle", "'separator' = ';', 'scan.watermark.idle-timeout' = '1 s'");
        create("zoned", "ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts", "'separator' = ';'");
        create(
                "computed",
                "ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND - INTERVAL '1' SECOND",
                "'separator' = ';'");
        create(
                "never",
                "ts TIMESTAMP(3), WATERMARK FOR ts AS ts - CAST(NULL AS INTERVAL SECOND)",
                "'separator' = ';'");
        String[] parts = query.split(" FROM | GROUP BY ", -1);
        assertThat(
                        tables.explainSql(
                                "SELECT %s FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY %s window_start, window_end"
                                        .formatted(
                                                parts[0],
                                                parts[1],
                                                parts[2].isEmpty() ? "" : parts[2] + ",")))
                .contains(FUSED)
                .doesNotContain("groups; fused");
    }

    @Test
    void moreNumbersThanAGpuTakesAreRowsInPlace() {
        int most = LinePlan.MAX_GPU_NUMBERS;
        String columns = numbered("n%1$d BIGINT", most + 1);
        tables.executeSql(
                "CREATE TABLE wide (k STRING, %s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'gpu-lines', 'path' = '/data', 'separator' = ';')"
                        .formatted(columns));
        String sums = numbered("SUM(n%1$d), MIN(n%1$d)", most);
        String windows = WINDOWS.formatted("wide");
        assertThat(tables.explainSql("SELECT k, " + sums + windows)).contains("groups; fused");
        assertThat(tables.explainSql("SELECT k, SUM(n%d), %s%s".formatted(most, sums, windows)))
                .contains(FUSED)
                .doesNotContain("groups; fused");
    }

    private static String numbered(String column, int number) {
        return IntStream.range(0, number)
                .mapToObj(column::formatted)
                .collect(Collectors.joining(", "));
    }

    @Test
    void withoutWatermarksOfTimeRowsAreInPlace() {
        set("pipeline.auto-watermark-interval", "0 ms");
        assertThat(tables.explainSql("SELECT k, SUM(l)" + WINDOWS.formatted("e")))
                .contains(FUSED)
                .doesNotContain("groups; fused");
    }

    @Test
    void aCalcOfFlinkPassesRowsOn() {
        String query = "SELECT k, SUM(l)" + WINDOWS.formatted("v");
        assertThat(tables.explainSql(query))
                .contains(FUSED)
                .containsPattern("\\[\\d+] Calc: Flink; fused into \\[\\d+]\\R");
        set("gpu.sql.exclude", "Calc");
        assertThat(tables.explainSql(query))
                .doesNotContain("fused", "GpuTableSourceScan")
                .contains("LocalWindowAggregate: on batches");
    }

    @Test
    void aScanIsFusedIntoMiniBatches() {
        miniBatch();
        assertThat(tables.explainSql("SELECT k, SUM(l) FROM e GROUP BY k"))
                .contains("GpuTableSourceScan(", FUSED, "LocalGroupAggregate: on batches");
        assertThat(tables.explainSql("SELECT k, SUM(l) FROM v GROUP BY k")).contains(FUSED);
    }

    @Test
    void aCalcInBatchesIsFused() {
        tables.executeSql(
                "CREATE TABLE rows1 (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'events')"
                        .formatted(EventRows.SCHEMA));
        tables.executeSql("CREATE VIEW r AS SELECT REDACT(k) AS k, l, ts FROM rows1");
        String query = "SELECT k, SUM(l)" + WINDOWS.formatted("r");
        assertThat(tables.explainSql(query))
                .containsPattern("\\[\\d+] Calc: on batches: k; fused into \\[\\d+]\\R")
                .doesNotContain(FUSED);
        set("gpu.sql.exclude", "LocalWindowAggregate");
        assertThat(tables.explainSql(query))
                .contains("Calc: on batches: k")
                .doesNotContain("fused");
    }

    @Test
    void whatPassesRowsOfFlinkOnSparesThemACopy() {
        tables.executeSql(
                "CREATE TABLE rows1 (%s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'events')"
                        .formatted(EventRows.SCHEMA));
        String query = "SELECT k, SUM(l)" + WINDOWS.formatted("rows1");
        assertThat(tables.explainSql(query)).doesNotContain("fused");
        assertThat(inPlace(query)).containsExactly("Calc", "WatermarkAssigner");
        set("gpu.sql.enabled", "false");
        assertThat(inPlace(query)).isEmpty();
    }

    /** The nodes whose rows are not copied. */
    private List<String> inPlace(String query) {
        List<String> nodes = new ArrayList<>();
        Transformation<?> at = plans.transformation(query);
        while (!at.getInputs().isEmpty()) {
            at = at.getInputs().get(0);
            if (((InternalTypeInfo<?>) at.getOutputType())
                            .createSerializer(new SerializerConfigImpl())
                    instanceof InPlaceSerializer) {
                nodes.add(at.getName().replaceAll("\\[.*", ""));
            }
        }
        return nodes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TableSourceScan", "LocalWindowAggregate", "SUM"})
    void whatIsExcludedIsNotFused(String excluded) {
        set("gpu.sql.exclude", excluded);
        assertThat(tables.explainSql("SELECT k, SUM(l)" + WINDOWS.formatted("e")))
                .doesNotContain("fused", "GpuTableSourceScan");
    }

    @Test
    void rowsThatAreReadElsewhereAreNotInPlace() {
        table("parallel", "'separator' = ';', 'scan.parallelism' = '2'");
        assertThat(tables.explainSql("SELECT k, SUM(l)" + WINDOWS.formatted("parallel")))
                .as("another parallelism")
                .doesNotContain("fused");
        assertThat(tables.explainSql("SELECT k, l FROM e WHERE l > 3"))
                .as("no aggregation")
                .doesNotContain("fused");
        tables.executeSql(
                "CREATE TABLE sink (k STRING, s BIGINT) WITH ('connector' = 'blackhole')");
        StatementSet both = tables.createStatementSet();
        both.addInsertSql("INSERT INTO sink SELECT k, SUM(l)" + WINDOWS.formatted("e"));
        both.addInsertSql("INSERT INTO sink SELECT k, MAX(l)" + WINDOWS.formatted("e"));
        assertThat(both.explain())
                .as("two readers")
                .contains("LocalWindowAggregate: on batches")
                .doesNotContain("fused");
        miniBatch();
        tables.executeSql(
                "CREATE TABLE texts (line STRING) WITH ('connector' = 'gpu-lines', 'path' = '/data')");
        assertThat(tables.explainSql("SELECT line, COUNT(*) FROM texts GROUP BY line"))
                .as("lines are texts")
                .contains("LocalGroupAggregate: on batches")
                .doesNotContain("fused");
    }

    @Test
    void theSectionAsJsonNamesTheReader() {
        set("gpu.sql.explain-format", "JSON");
        assertThat(tables.explainSql("SELECT k, SUM(l)" + WINDOWS.formatted("e")))
                .containsPattern(
                        "\"kind\": \"TableSourceScan\", \"runs\": \"batches\", \"onBatches\": \\[\"lines\", \"groups\"],"
                                + " \"reasons\": \\[], \"textLeft\": false, \"fusedInto\": \\d+}");
    }

    @Test
    void aCompiledPlanIsFlinksBeforeAndAfterItIsTranslated() {
        tables.executeSql(
                "CREATE TABLE sink (k STRING, s BIGINT) WITH ('connector' = 'blackhole')");
        String insert = "INSERT INTO sink SELECT k, SUM(l)" + WINDOWS.formatted("v");
        set("gpu.sql.enabled", "false");
        String flinks = compile(insert).asJsonString();
        set("gpu.sql.enabled", "true");
        CompiledPlan plan = compile(insert);
        assertThat(plan.asJsonString()).isEqualTo(flinks);
        assertThat(plan.explain()).contains("GpuTableSourceScan(", FUSED);
        assertThat(plan.asJsonString()).isEqualTo(flinks);
        assertThat(plan.explain()).as("again").contains(FUSED);
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
