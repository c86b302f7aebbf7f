package io.flinkgpu.sql.script;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Folders of scripts and compiled plans, planned with nothing but what Flink's lib has, and no cluster.
 *
 * <p>Covers: SqlQualify, Findings, ScriptPlans, StandInSource.
 */
class SqlQualifyTest {

    private static final String KAFKA =
            """
            CREATE TABLE logs (
              id BIGINT, line STRING, ts TIMESTAMP(3), part INT METADATA FROM 'partition' VIRTUAL,
              WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
            ) WITH ('connector' = 'kafka', 'topic' = 'logs', 'format' = 'json');
            CREATE TABLE sunk (id BIGINT, line STRING) WITH ('connector' = 'blackhole');
            """;

    @TempDir Path folder;

    private record Run(int code, List<String> out, List<String> err) {}

    private static Run run(Object... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] texts = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            texts[i] = args[i].toString();
        }
        int code =
                SqlQualify.run(
                        texts,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(
                code,
                // Numbers of nodes go on from plan to plan.
                out.toString(StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceAll(" \\[\\d+] ", " [#] "))
                        .toList(),
                err.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void eachStatementAndNodeHasALineWithAllReasons() throws IOException {
        write(
                "a/daily.sql",
                KAFKA
                        + """
                INSERT INTO sunk SELECT id, REDACT(line) FROM logs WHERE part = 1;
                SELECT REDACT(line) AS r, DATE_FORMAT(ts, 'HH') AS h, REPEAT(line, 2) AS w FROM logs;
                """);
        write("plain.sql", "SELECT 1;\nSHOW MODULES;");
        Run run = run(folder);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsExactly(
                        "a/daily.sql:1: statement 1: table logs is planned by its columns alone,"
                                + " as there is no connector kafka",
                        "a/daily.sql:6: statement 3: on batches: INSERT INTO sunk SELECT id,"
                                + " REDACT(line) FROM logs WHERE part = 1",
                        "a/daily.sql:6: statement 3:   [#] TableSourceScan: Flink",
                        "a/daily.sql:6: statement 3:   [#] WatermarkAssigner: Flink",
                        "a/daily.sql:6: statement 3:   [#] Calc: on batches: EXPR$1",
                        "a/daily.sql:6: statement 3:   [#] Sink: Flink",
                        "a/daily.sql:7: statement 4: on batches: SELECT REDACT(line) AS r,"
                                + " DATE_FORMAT(ts, 'HH') AS h, REPEAT(line, 2) AS w FROM logs",
                        "a/daily.sql:7: statement 4:   [#] TableSourceScan: Flink",
                        "a/daily.sql:7: statement 4:   [#] WatermarkAssigner: Flink",
                        "a/daily.sql:7: statement 4:   [#] Calc: on batches: r; Flink: h:"
                                + " DATE_FORMAT is not supported; w: REPEAT is not supported",
                        "plain.sql:1: statement 1: Flink: SELECT 1",
                        "plain.sql:1: statement 1:   [#] Values: Flink",
                        "plain.sql:1: statement 1:   [#] Calc: Flink: no text functions",
                        "",
                        "2 files: 3 statements planned, 3 without a plan, 0 with an error",
                        "9 nodes: 1 on batches, 1 on batches in part, 7 Flink's",
                        "1 x DATE_FORMAT is not supported",
                        "1 x REPEAT is not supported",
                        "1 x no text functions");
    }

    @Test
    void badSqlHasItsFileItsStatementAndThePlannersMessage() throws IOException {
        write("bad.sql", "SHOW MODULES;\nSELEC 1;\nSELECT nothing FROM nowhere;\nSELECT 2;");
        write("plan.json", "{}");
        Run run = run(folder);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).hasSize(3);
        assertThat(run.err().get(0))
                .startsWith("bad.sql:2: statement 2: SQL parse failed. Non-query expression");
        assertThat(run.err().get(1))
                .startsWith("bad.sql:3: statement 3: SQL validation failed.")
                .contains("Object 'nowhere' not found");
        assertThat(run.err().get(2)).startsWith("plan.json: ");
        assertThat(run.out())
                .contains(
                        "bad.sql:4: statement 4: Flink: SELECT 2",
                        "2 files: 1 statements planned, 1 without a plan, 3 with an error");
    }

    @Test
    void setsTablesAsSelectsViewsAndPlansAreExplainedAndNotRun() throws IOException {
        Path compiled = folder.resolve("compiled.json");
        write(
                "all.sql",
                KAFKA
                        + """
                EXECUTE STATEMENT SET BEGIN
                INSERT INTO sunk SELECT id, REDACT(line) FROM logs;
                INSERT INTO sunk SELECT id, MASK(line) FROM logs;
                END;
                CREATE VIEW seen AS SELECT REDACT(line) AS line FROM logs;
                CREATE TABLE copied WITH ('connector' = 'blackhole') AS SELECT line FROM seen;
                EXPLAIN SELECT * FROM seen;
                SET 'gpu.sql.enabled' = 'false';
                SELECT * FROM seen;
                SET 'gpu.sql.enabled' = 'true';
                COMPILE PLAN 'file:%s' FOR INSERT INTO copied SELECT * FROM seen;
                """
                                .formatted(compiled));
        Run run = run(folder.resolve("all.sql"));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(
                        run.out().stream()
                                .filter(line -> !line.contains(":   "))
                                .map(line -> line.replaceAll(".*statement ", "")))
                .containsSequence(
                        "3: on batches: EXECUTE STATEMENT SET BEGIN INSERT INTO sunk SELECT id, REDACT(line) FROM logs; INSERT INTO sunk S..",
                        "5: on batches: CREATE TABLE copied WITH ('connector' = 'blackhole') AS SELECT line FROM seen",
                        "6: on batches: EXPLAIN SELECT * FROM seen",
                        "8: Flink: gpu.sql.enabled is false, or the planner is Flink's: SELECT * FROM seen");
        assertThat(compiled).doesNotExist();
    }

    @Test
    void compiledPlansAreExplained() throws IOException {
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        tables.executeSql("LOAD MODULE gpu");
        tables.executeSql(
                "CREATE TABLE logs (line STRING) WITH ('connector' = 'gpu-lines', 'path' = '/logs')");
        tables.executeSql("CREATE TABLE sunk (line STRING) WITH ('connector' = 'blackhole')");
        tables.compilePlanSql("INSERT INTO sunk SELECT REDACT(line) FROM logs")
                .writeToFile(folder.resolve("a.json"));
        Run run = run(folder);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "a.json: on batches: compiled plan",
                        "a.json:   [#] Calc: on batches: EXPR$0",
                        "3 nodes: 1 on batches, 0 on batches in part, 2 Flink's");
    }

    @Test
    void batchModeIsFlinks() throws IOException {
        write("batch.sql", "SET 'execution.runtime-mode' = 'batch';\nSELECT REDACT('a');");
        assertThat(run(folder).out())
                .contains("batch.sql:2: statement 2: Flink: batch mode: SELECT REDACT('a')");
        Path script = folder.resolve("batch.sql");
        assertThat(run(script).out())
                .contains(script + ":2: statement 2: Flink: batch mode: SELECT REDACT('a')");
    }

    @Test
    void mistakesPlanNothing() {
        assertThat(run("--help").out()).anyMatch(line -> line.contains("FOLDER"));
        assertThat(run())
                .isEqualTo(
                        new Run(
                                2,
                                List.of(),
                                List.of("sql-qualify: one folder or file is needed: see --help")));
        assertThat(run(folder).err())
                .containsExactly(
                        "sql-qualify: no *.sql or *.json in '"
                                + folder
                                + "': name a folder of SQL scripts, or one of them");
        assertThat(run(folder.resolve("no")).err())
                .containsExactly(
                        "sql-qualify: cannot read '"
                                + folder.resolve("no")
                                + "': name a folder of SQL scripts, or one of them");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
