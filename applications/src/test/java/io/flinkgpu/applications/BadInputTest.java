package io.flinkgpu.applications;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The caller's mistakes: one line each, exit code 2, nothing written.
 *
 * <p>Covers: Places, Arguments, InputFiles, TableFile.
 */
class BadInputTest {

    @TempDir private Path folder;
    private Path log;
    private Path output;

    @BeforeEach
    void writeLog() throws IOException {
        log = Files.writeString(folder.resolve("app.log"), "a line\n");
        output = folder.resolve("out");
    }

    private void assertRefused(List<String> messages, Object... args) throws IOException {
        List<Path> before = tree();
        Cli run = Cli.run(args);
        assertThat(run.err()).containsExactlyElementsOf(prefixed(messages));
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(2);
        assertThat(tree()).isEqualTo(before);
    }

    private static List<String> prefixed(List<String> messages) {
        return messages.stream().map(message -> "log-redaction: " + message).toList();
    }

    private List<Path> tree() throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.sorted().toList();
        }
    }

    private Path rules(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void unknownOption() throws IOException {
        assertRefused(List.of("unknown option '--inptu'; did you mean '--input'?"), "--inptu", "x");
    }

    @Test
    void inputThatDoesNotExist() throws IOException {
        Path missing = folder.resolve("missing.log");
        assertRefused(
                List.of("input '" + missing + "' does not exist: name a file or a directory"),
                "--input",
                missing,
                "--output",
                output);
    }

    @Test
    void directoryWithoutFiles() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty/deeper")).getParent();
        Files.writeString(empty.resolve(".hidden"), "x\n");
        assertRefused(
                List.of("input '" + empty + "' has no files in it: name another directory"),
                "--input",
                empty,
                "--output",
                output);
    }

    @ParameterizedTest
    @CsvSource({
        "1f8b08000000, compressed (gzip), 'decompress it first, with gzip -d'",
        "425a68393141, compressed (bzip2), 'decompress it first, with bzip2 -d'",
        "fd377a585a00, compressed (xz), 'decompress it first, with xz -d'",
        "28b52ffd0458, compressed (zstd), 'decompress it first, with zstd -d'",
        "04224d186040, compressed (lz4), 'decompress it first, with lz4 -d'",
        "504b03041400, compressed (zip), 'unpack it first, with unzip'",
        "fffe41004200, UTF-16, 'convert it first, with iconv -f UTF-16 -t UTF-8'",
        "feff00410042, UTF-16, 'convert it first, with iconv -f UTF-16 -t UTF-8'",
    })
    void inputThatIsNotPlainText(String hex, String what, String remedy) throws IOException {
        Files.write(log, HexFormat.of().parseHex(hex));
        assertRefused(
                List.of("input '" + log + "' is " + what + ": " + remedy),
                "--input",
                log,
                "--output",
                output);
    }

    @Test
    void plainTextNamedAsIfCompressed() throws IOException {
        Path named = Files.writeString(folder.resolve("app.log.gz"), "x\n");
        assertRefused(
                List.of(
                        "input '"
                                + named
                                + "' is named like a compressed file: decompress or rename it"),
                "--input",
                named,
                "--output",
                output);
    }

    @Test
    void namesThatFlinkTakesForOthers() throws IOException {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Path named = Files.writeString(logs.resolve("a\\b"), "x\n");
        Path stats = folder.resolve("out\\stats");
        String problem =
                "' has a '\\' or bytes that are not UTF-8 in its name, which Flink takes for another"
                        + " name: rename it";
        assertRefused(
                List.of("stats '" + stats + problem, "input '" + named + problem),
                "--input",
                logs,
                "--output",
                output,
                "--stats",
                stats);
    }

    /** Root may write to every folder but those that the JDK reads its own classes from. */
    @Test
    void outputWhereNothingMayBeWritten() {
        Path folder = Path.of(URI.create("jrt:/java.base"));
        assertThat(Places.folderProblem("output", folder))
                .contains(
                        "cannot write to output directory '"
                                + folder
                                + "': name one where you may write");
    }

    @Test
    void outputThatAnotherRunFillsBetweenCheckAndStart() throws Exception {
        Options options = Options.parse("--input", log.toString(), "--output", output.toString());
        Places checked = Places.check(options, true);
        Files.writeString(Files.createDirectory(output).resolve("part-0"), "a line\n");
        List<Path> before = tree();

        assertThatThrownBy(() -> checked.make(1))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e ->
                                assertThat(e.lines())
                                        .containsExactly(
                                                "output directory '"
                                                        + output
                                                        + "' is not empty: name a new or empty"
                                                        + " one"));
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void outputThatIsInsideTheInputByALink() throws IOException {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Files.writeString(logs.resolve("app.log"), "x\n");
        Path inside =
                Files.createSymbolicLink(folder.resolve("link"), logs)
                        .resolve("new")
                        .resolve("out");
        assertRefused(
                List.of(
                        "output '"
                                + inside
                                + "' is inside input '"
                                + logs
                                + "', so the next run would read it: name one outside"),
                "--input",
                logs,
                "--output",
                inside);
    }

    @Test
    void outputThatIsNotEmpty() throws IOException {
        Files.createDirectory(output);
        Files.writeString(output.resolve("old"), "x");
        assertRefused(
                List.of("output directory '" + output + "' is not empty: name a new or empty one"),
                "--input",
                log,
                "--output",
                output);
    }

    @Test
    void outputThatIsAFile() throws IOException {
        assertRefused(
                List.of("output '" + log + "' is not a directory: name a new one"),
                "--input",
                log,
                "--output",
                log);
        Path below = log.resolve("out");
        assertRefused(
                List.of(
                        "cannot make output directory '"
                                + below
                                + "': name one where you may write"),
                "--input",
                log,
                "--output",
                below);
    }

    @Test
    void statsWhereTheyWouldBeReadOrMixed() throws IOException {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Files.writeString(logs.resolve("a.log"), "x\n");
        Path inside = logs.resolve("stats");
        assertRefused(
                List.of(
                        "stats '"
                                + inside
                                + "' is inside input '"
                                + logs
                                + "', so the next run would read it: name one outside"),
                "--input",
                logs,
                "--output",
                output,
                "--stats",
                inside);
        Path below = output.resolve("stats");
        assertRefused(
                List.of(
                        "output '"
                                + output
                                + "' and stats '"
                                + below
                                + "' are one folder, or one is inside the other: name separate"
                                + " ones"),
                "--input",
                log,
                "--output",
                output,
                "--stats",
                below);
        assertRefused(
                List.of("stats directory '" + logs + "' is not empty: name a new or empty one"),
                "--input",
                log,
                "--output",
                output,
                "--stats",
                logs);
    }

    @Test
    void hashRuleWithoutKey() throws IOException {
        Path rules =
                rules(
                        "r.yaml",
                        """
                        rules:
                          - name: user
                            regex: 'user-\\d{4,12}'
                            hash: {prefix: '[U:', suffix: ']'}
                        """);
        assertRefused(
                List.of(
                        "rule 'user' has a hash action and there is no key: name a file of at"
                                + " least 16 random bytes with --hash-key-file"),
                "--input",
                log,
                "--output",
                output,
                "--rules",
                rules);
        Path key = Files.writeString(folder.resolve("key"), "short\n");
        assertRefused(
                List.of(
                        "the hash key in file '"
                                + key
                                + "' has 5 bytes; put at least 16 random bytes there"),
                "--input",
                log,
                "--output",
                output,
                "--rules",
                rules,
                "--hash-key-file",
                key);
    }

    @Test
    void ruleFileWithErrors() throws IOException {
        Path rules =
                rules(
                        "r.yaml",
                        """
                        rules:
                          - name: a
                            regexp: 'x'
                            label: '[A]'
                        """);
        Cli run = Cli.run("--input", log, "--output", output, "--rules", rules);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("log-redaction: " + rules))
                .anyMatch(line -> line.contains("regexp"));
        assertThat(output).doesNotExist();
    }

    @Test
    void everyBadRegexIsReported() throws IOException {
        Path rules = rules("r.tsv", "one\t(?=xy)x\t[A]\nfine\tabc\t[B]\ntwo\tx**\t[C]\n");
        Cli run = Cli.run("--input", log, "--output", output, "--rules", rules);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).hasSize(2);
        assertThat(run.err().get(0)).startsWith("log-redaction: ").contains("one", "(?=");
        assertThat(run.err().get(1)).startsWith("log-redaction: ").contains("two");
        assertThat(output).doesNotExist();
    }

    @Test
    void everyBadPlaceIsReported() throws IOException {
        Path missing = folder.resolve("missing.log");
        Files.createDirectory(output);
        Files.writeString(output.resolve("old"), "x");
        assertRefused(
                List.of(
                        "output directory '" + output + "' is not empty: name a new or empty one",
                        "input '" + missing + "' does not exist: name a file or a directory"),
                "--input",
                missing,
                "--output",
                output);
    }

    @Test
    void webUiPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            int port = taken.getLocalPort();
            assertRefused(
                    List.of(
                            "--web-ui cannot use port "
                                    + port
                                    + " (Address already in use): name another with --web-ui PORT"),
                    "--input",
                    log,
                    "--output",
                    output,
                    "--backend",
                    "cpu",
                    "--web-ui",
                    port);
        }
    }
}
