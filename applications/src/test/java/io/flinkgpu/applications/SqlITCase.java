package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole applications of SQL on an embedded Flink. */
@Timeout(180)
class SqlITCase {

    @TempDir Path directory;

    @Test
    void redactsLogsWithTheScriptThatItPrints() throws IOException {
        Path input = Files.createDirectory(directory.resolve("it's in"));
        Files.writeString(input.resolve("a.log"), "login of jane@example.com\nGrüße\n");
        Path output = directory.resolve("out");
        Cli run = Cli.runSqlRedaction("--input", input, "--output", output, "--parallelism", 2);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("INSERT INTO redacted SELECT REDACT(line) FROM logs;")
                .containsSequence("after", "login of [EMAIL]", "")
                .containsSequence("lines\twith findings", "2\t1", "")
                .endsWith("Redacted lines are in " + output);
        assertThat(lines(output)).containsExactlyInAnyOrder("login of [EMAIL]", "Grüße");
    }

    @Test
    void runsAScriptAndPrintsWhatQueriesGive() throws IOException {
        Path script =
                write(
                        """
                        SET 'parallelism.default' = '1';
                        -- In the place of the module that the example loads.
                        LOAD MODULE gpu WITH ('rules.r.path' = '%s');
                        SELECT REDACT(t, 'r'), t FROM (VALUES ('aab\\tc')) AS v(t);
                        SHOW MODULES;
                        CREATE TABLE sunk (t STRING) WITH ('connector' = 'blackhole');
                        INSERT INTO sunk SELECT MASK('x');
                        """
                                .formatted(
                                        Files.writeString(
                                                directory.resolve("r.yaml"),
                                                "rules: [{name: a, regex: 'a+', label: '[A]'}]")));
        assertThat(Cli.runSql(script))
                .isEqualTo(
                        new Cli(
                                0,
                                List.of(
                                        "op\tEXPR$0\tt",
                                        "+I\t[A]b\\tc\taab\\tc",
                                        "",
                                        "module name",
                                        "core",
                                        "gpu",
                                        ""),
                                List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-- nothing yet\n ;\n/* nor here */"})
    void aScriptOfNothingIsAMistake(String text) throws IOException {
        Path script = write(text);
        assertThat(Cli.runSql(script))
                .isEqualTo(
                        new Cli(
                                2,
                                List.of(),
                                List.of(
                                        "sql: script '"
                                                + script
                                                + "' has no statement, so there is nothing to run:"
                                                + " write some, each with ';' at its end")));
    }

    @Test
    void aStatementThatFailsHasItsPlace() throws IOException {
        Path script = write("SHOW MODULES;\n\nSELECT REDACT('a', 'b');\nSELECT 1;\n");
        Cli run = Cli.runSql(script);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).containsExactly("module name", "core", "gpu", "");
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("sql: " + script + ":3: no such rule set: rules='b', known=[default];");
    }

    @Test
    void anOptionThatIsUnknownIsNamed() throws IOException {
        Path script =
                write(
                        "CREATE TABLE t (a STRING) WITH ('connector'='gpu-lines', 'paht'='x');\n"
                                + "SELECT * FROM t;\n");
        Cli run = Cli.runSql(script);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("sql: " + script + ":2: ")
                .contains("paht")
                .contains("path");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --parallelism 1 | a script is needed: name a file of SQL statements
                    a.sql b.sql     | unexpected argument 'b.sql': a script is one file
                    --rows 5        | unknown option '--rows': see --help
                    """)
    void mistakesStartNothing(String args, String message) {
        Cli run = Cli.runSql((Object[]) args.split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("sql: " + message);
    }

    @Test
    void filesThatAreNotThere() throws IOException {
        assertThat(Cli.runSql(directory.resolve("no.sql")).err())
                .containsExactly(
                        "sql: cannot read script '"
                                + directory.resolve("no.sql")
                                + "': name a file of SQL statements in UTF-8");
        assertThat(Cli.runSqlRedaction("--input", directory.resolve("no")).err())
                .containsExactly(
                        "sql-redaction: cannot read input '"
                                + directory.resolve("no")
                                + "': name a file or folder of logs");
        Files.writeString(directory.resolve("there"), "");
        assertThat(Cli.runSqlRedaction("--output", directory).err())
                .singleElement()
                .asString()
                .endsWith("is not empty: name a new or empty one");
        assertThat(Cli.runSql("--help").out()).anyMatch(line -> line.contains("FILE.sql"));
        assertThat(Cli.runSqlRedaction("--help").out()).anyMatch(line -> line.contains("--input"));
    }

    private Path write(String script) throws IOException {
        return Files.writeString(directory.resolve("script.sql"), script);
    }

    private static List<String> lines(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).flatMap(SqlITCase::linesOf).toList();
        }
    }

    private static Stream<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
