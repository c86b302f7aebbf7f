package io.flinkgpu.sql.model;

import io.flinkgpu.sql.SqlJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.flinkgpu.sql.SqlJobs.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Rules as models: the rows of {@code REDACT}, in their order.
 *
 * <p>Covers: RedactModel, RedactModelFactory, LookupModel, ScoreModelFactory, SearchModel,
 * SearchModelFactory, TableOptions.
 */
@Timeout(180)
class RedactModelITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlJobs.cluster();

    private static final int LINES = 2_000;

    @TempDir Path directory;

    @BeforeEach
    void writeLines() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            text.append(i).append(";user").append(i).append("@example.com Grüße\n");
        }
        Files.writeString(directory.resolve("in.txt"), text);
        Files.writeString(directory.resolve("key"), "0123456789abcdef-key");
        Files.writeString(
                directory.resolve("rules.yaml"),
                """
                rules:
                  - name: user
                    regex: 'user\\d+'
                    hash: {}
                """);
    }

    @ParameterizedTest
    @CsvSource({"STREAMING, true, 1", "STREAMING, false, 2", "BATCH, true, 3"})
    void theRowsOfTheFunction(RuntimeExecutionMode mode, boolean async, int parallelism) {
        StreamTableEnvironment session = session(mode, parallelism);
        String key = "'" + directory.resolve("key") + "'";
        String rules = "'" + directory.resolve("rules.yaml") + "'";
        session.executeSql(
                "LOAD MODULE gpu WITH ('hash-key.path' = %s, 'rules.users.path' = %s)"
                        .formatted(key, rules));
        session.executeSql(
                """
                CREATE MODEL users INPUT (a STRING, b STRING) OUTPUT (x STRING, y STRING)
                WITH ('provider' = 'gpu-redact', 'backend' = 'cpu', 'hash-key.path' = %s,
                      'rules.path' = %s)
                """
                        .formatted(key, rules));
        String runtime =
                async
                        ? "MAP['async', 'true', 'max-concurrent-operations', '500']"
                        : "MAP['async', 'false']";
        List<Row> found =
                rows(
                        session,
                        "SELECT n, x, y FROM ML_PREDICT(TABLE texts, MODEL users, DESCRIPTOR(a, b),"
                                + runtime
                                + ")");
        List<Row> expected =
                rows(session, "SELECT n, REDACT(a, 'users'), REDACT(b, 'users') FROM texts");
        assertThat(found).hasSize(LINES).containsExactlyInAnyOrderElementsOf(expected);
        if (parallelism == 1) {
            List<Integer> order = new ArrayList<>();
            found.forEach(row -> order.add(row.getFieldAs(0)));
            assertThat(order).isSorted();
        }
    }

    @Test
    void theBuiltInRulesAndWhatIsRefused() {
        StreamTableEnvironment session = session(RuntimeExecutionMode.BATCH, 1);
        session.executeSql(
                "CREATE MODEL secrets INPUT (a STRING) OUTPUT (x STRING) WITH ('provider' ="
                        + " 'gpu-redact', 'backend' = 'cpu')");
        assertThat(
                        rows(
                                session,
                                "SELECT x FROM ML_PREDICT(TABLE texts, MODEL secrets,"
                                        + " DESCRIPTOR(a)) WHERE n = 7"))
                .containsExactly(Row.of("[EMAIL] Grüße"));
        refused(session, "INPUT (a STRING) OUTPUT (x INT)", "", "give both as many STRING columns");
        refused(
                session,
                "INPUT (a STRING) OUTPUT (x STRING, y STRING)",
                "",
                "a model of rules makes a text of each text: INPUT=[STRING], OUTPUT=[STRING,");
        refused(
                session,
                "INPUT (a STRING) OUTPUT (x STRING)",
                ", 'rules.path' = '" + directory.resolve("rules.yaml") + "'",
                "the rules hash and need a key");
        refused(
                session,
                "INPUT (a STRING) OUTPUT (x STRING)",
                ", 'rule.path' = 'x'",
                "Unsupported options found");
    }

    private StreamTableEnvironment session(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = SqlJobs.session(mode, parallelism);
        session.executeSql(
                "CREATE TABLE lines (n INT, t STRING) WITH ('connector' = 'gpu-lines', 'separator'"
                        + " = ';', 'path' = '"
                        + directory.resolve("in.txt").toUri()
                        + "')");
        session.executeSql(
                "CREATE VIEW texts AS SELECT n, t AS a, CASE WHEN MOD(n, 3) = 0 THEN t END AS b"
                        + " FROM lines");
        return session;
    }

    private static void refused(
            StreamTableEnvironment session, String schema, String options, String message) {
        session.executeSql(
                "CREATE MODEL refused "
                        + schema
                        + " WITH ('provider' = 'gpu-redact'"
                        + options
                        + ")");
        assertThatThrownBy(
                        () ->
                                session.explainSql(
                                        "SELECT x FROM ML_PREDICT(TABLE texts, MODEL refused,"
                                                + " DESCRIPTOR(a))"))
                .hasStackTraceContaining(message);
        session.executeSql("DROP MODEL refused");
    }
}
