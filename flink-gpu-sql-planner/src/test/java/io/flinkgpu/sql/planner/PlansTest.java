package io.flinkgpu.sql.planner;

import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.planner.delegation.BatchPlanner;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is planned, and what is said about it; nothing is run.
 *
 * <p>Covers: CalcPlan.
 */
class PlansTest {

    private static final String REDACTS =
            "SELECT i, redact(s) AS s, UPPER(t) AS t, DATE_FORMAT(LOCALTIMESTAMP, 'HH') AS h FROM r";

    private final Plans plans = new Plans().source("r", "");
    private final TableEnvironment tables = plans.tables();

    @Test
    void aCompiledPlanIsFlinksBeforeAndAfterItIsTranslated() {
        tables.executeSql(
                "CREATE TABLE sink (s STRING, n INT) WITH ('connector' = 'rows', 'sink' = 'x')");
        String insert =
                "INSERT INTO sink SELECT redact(s), CHAR_LENGTH(UPPER(t)) FROM r WHERE i > 1";
        set("gpu.sql.enabled", "false");
        String flinks = json(insert);
        set("gpu.sql.enabled", "true");
        assertThat(json(insert)).isEqualTo(flinks);

        CompiledPlan plan = ((TableEnvironmentImpl) tables).compilePlanSql(insert);
        String before = plan.asJsonString();
        assertThat(plan.explain()).contains("GpuCalc(", Report.TITLE, "Calc: on batches: ");
        assertThat(plan.asJsonString()).isEqualTo(before).contains("stream-exec-calc_1");
        assertThat(plan.explain()).as("again").contains("GpuCalc(");
    }

    private String json(String insert) {
        ExecNodeContext.resetIdCounter();
        return ((TableEnvironmentImpl) tables).compilePlanSql(insert).asJsonString();
    }

    @Test
    void explainGivesTheReasonOfEachColumnThatStaysFlinks() {
        String expected =
                """
                %s
                [1] Calc: on batches: s, t
                    Flink: h: DATE_FORMAT is not supported
                    Flink: a part of u: MD5 is not supported
                """
                        .formatted(Report.TITLE);
        ExecNodeContext.resetIdCounter();
        String text = tables.explainSql(REDACTS.replace(" FROM", ", CONCAT(MD5(s), t) AS u FROM"));
        assertThat(text.replaceAll("\\[\\d+] Calc", "[1] Calc"))
                .contains("GpuCalc(select=")
                .endsWith(expected.replace("s, t\n", "s, t, u\n"));
    }

    @Test
    void explainListsWhatTheOptionSays() {
        assertThat(tables.explainSql(REDACTS)).contains(Report.TITLE, "on batches");
        set("gpu.sql.explain", "NOT_ON_GPU");
        assertThat(tables.explainSql("SELECT redact(s) FROM r")).doesNotContain("on batches");
        set("gpu.sql.explain", "NONE");
        assertThat(tables.explainSql(REDACTS)).doesNotContain(Report.TITLE).contains("GpuCalc");
    }

    @Test
    void explainTellsTheSameAsJson() {
        set("gpu.sql.explain-format", "JSON");
        String query = REDACTS.replace("AS h", "AS \"quoted\"".replace('"', '`'));
        String text = tables.explainSql(query).replaceAll("\\[?\"id\": \\d+", "\"id\": 1");
        assertThat(text.substring(text.indexOf(Report.TITLE)))
                .isEqualTo(
                        Report.TITLE
                                + System.lineSeparator()
                                + """
                                {"version": 1, "nodes": [
                                  {"id": 1, "kind": "Calc", "runs": "both", "onBatches": ["s", "t"], \
                                "reasons": ["quoted: DATE_FORMAT is not supported"], "textLeft": false}
                                ], "others": [
                                  {"id": 1, "kind": "TableSourceScan"}
                                ]}"""
                                + System.lineSeparator());
        set("gpu.sql.explain", "NOT_ON_GPU");
        assertThat(tables.explainSql("SELECT redact(s) FROM r"))
                .contains("\"nodes\": []", "\"others\": []");
        assertThat(JsonText.of("a\"\\\n\ud83dé")).isEqualTo("\"a\\\"\\\\\\u000a\\ud83dé\"");
    }

    /** Case mapping is of ASCII: what a rule writes has to be, too. */
    @ParameterizedTest
    @CsvSource({
        "'counter: {prefix: \"«é\", suffix: \"»\"}', false",
        "'counter: {prefix: \"<\"}', true"
    })
    void upperCaseOfWhatARuleWrites(String action, boolean onBatches, @TempDir Path directory)
            throws IOException {
        Path rules = directory.resolve("rules.yaml");
        Files.writeString(
                rules, "rules:\n  - name: digits\n    regex: '[0-9]+'\n    " + action + "\n");
        tables.executeSql("UNLOAD MODULE gpu");
        tables.executeSql("LOAD MODULE gpu WITH ('rules.counted.path' = '" + rules + "')");
        String plan = tables.explainSql("SELECT UPPER(REDACT(s, 'counted')), REDACT(t) FROM r");
        assertThat(plan).contains("GpuCalc");
        if (onBatches) {
            assertThat(plan).contains("on batches: EXPR$0, EXPR$1");
        } else {
            assertThat(plan).contains("a constant has other characters than ASCII");
        }
    }

    @Test
    void littleWorkIsLeftToFlink() {
        for (String query :
                List.of(
                        "SELECT i + 1 FROM r",
                        "SELECT s FROM r WHERE i > 3",
                        "SELECT UPPER(TRIM(s)), CONCAT(LEFT(s, 3), t) FROM r",
                        "SELECT CASE WHEN b THEN i ELSE 0 END FROM r")) {
            assertThat(tables.explainSql(query)).as(query).doesNotContain("GpuCalc");
        }
        assertThat(tables.explainSql("SELECT UPPER(TRIM(s)), redact(t) FROM r"))
                .contains("GpuCalc", "on batches: EXPR$0, EXPR$1");
    }

    @Test
    void disabledItIsFlinksPlanner() {
        set("gpu.sql.enabled", "false");
        assertThat(tables.explainSql(REDACTS)).doesNotContain("Gpu", Report.TITLE);
    }

    @Test
    void strictIsAnErrorWhereATextFunctionStaysFlinks() {
        set("gpu.sql.strict", "true");
        assertThat(tables.explainSql(REDACTS)).contains("GpuCalc");
        String query = "SELECT redact(s), SUBSTRING(t FROM -2) AS tail FROM r";
        assertThatThrownBy(() -> tables.explainSql(query))
                .isInstanceOf(TableException.class)
                .hasMessageContainingAll(
                        "text functions are left to Flink, and gpu.sql.strict=true",
                        "tail: SUBSTRING: a constant is less than 1");
        set("gpu.sql.exclude", "SUBSTRING");
        assertThat(tables.explainSql(query)).contains("SUBSTRING is excluded by gpu.sql.exclude");
    }

    @Test
    void kindsOfNodesCanBeExcluded() {
        set("gpu.sql.exclude", "Calc");
        assertThat(tables.explainSql(REDACTS))
                .doesNotContain("GpuCalc")
                .contains("Calc is excluded by gpu.sql.exclude");
    }

    @Test
    void whatFlinkMaySkipIsNotComputedBefore() {
        assertThat(
                        tables.explainSql(
                                "SELECT CASE WHEN b THEN CONCAT('a', CAST(1 / i AS STRING)) ELSE s"
                                        + " END AS x, redact(t) AS y FROM r"))
                .contains("on batches: y", "x: CAST: of INTEGER to ");
    }

    @Test
    void regularExpressionsOutsideOfTheSyntaxStayFlinks() {
        assertThat(tables.explainSql("SELECT REGEXP_REPLACE(s, '(a)\\1', 'x') FROM r"))
                .doesNotContain("GpuCalc")
                .contains("EXPR$0: REGEXP_REPLACE: backreference");
    }

    @Test
    void batchModeIsFlinks() {
        TableEnvironment batch = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        assertThat(((TableEnvironmentImpl) batch).getPlanner()).isInstanceOf(BatchPlanner.class);
    }

    @Test
    void thisIsTheVersionItIsBuiltFor() {
        assertThat(Compatibility.isWith(EnvironmentInformation.getVersion())).isTrue();
        assertThat(Compatibility.isWith("2.3.1")).isFalse();
    }

    private void set(String option, String value) {
        tables.getConfig().getConfiguration().setString(option, value);
    }
}
