package io.flinkgpu.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs each example as its reader would, and holds them to what can be read in one go. */
class ExamplesTest {

    private static final Path FOLDER = Path.of("src/main/java/io/flinkgpu/examples");
    private static final int MAX_LINES = 60;

    private interface Main {

        void run(String... args) throws Exception;
    }

    private static List<String> output(Main main, String... args) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            main.run(args);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static List<String> examples() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("package-info.java"))
                    .map(name -> name.replace(".java", ""))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void eachIsShortAndWhole() throws IOException {
        assertThat(examples()).hasSizeGreaterThanOrEqualTo(7);
        for (String example : examples()) {
            List<String> lines = Files.readAllLines(FOLDER.resolve(example + ".java"));
            assertThat(lines).as(example).hasSizeLessThanOrEqualTo(MAX_LINES);
            assertThat(String.join("\n", lines))
                    .as(example)
                    .containsOnlyOnce("public static void main(String[] args)")
                    .doesNotContain(
                            "import io.flinkgpu.examples", "import io.flinkgpu.applications");
        }
    }

    @Test
    void eachIsInTheReadmeAndRunHere() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String test =
                Files.readString(Path.of("src/test/java/io/flinkgpu/examples/ExamplesTest.java"));
        for (String example : examples()) {
            assertThat(readme)
                    .contains("[" + example + "](" + FOLDER + "/" + example + ".java)")
                    .contains("examples/run " + example);
            assertThat(test).contains("output(" + example + "::main");
        }
    }

    @Test
    void redactLogs() throws Exception {
        assertThat(output(RedactLogs::main))
                .containsExactly(
                        "LogRecord[service=shop, message=login of [EMAIL] from [IP]]",
                        "LogRecord[service=bank, message=paid with ***************1111]",
                        "LogRecord[service=shop, message=3 items in the basket]");
    }

    @Test
    void windowSensors() throws Exception {
        assertThat(output(WindowSensors::main))
                .containsExactlyInAnyOrder(
                        "0 s cellar 12.5 12.5 12.5",
                        "0 s roof 30.1 30.633333333333333 31.0",
                        "60 s cellar 12.4 12.4 12.4");
    }

    @Test
    void firstSql() throws Exception {
        assertThat(output(FirstSql::main))
                .contains(
                        "|               login of [EMAIL] |", "|          3 items in the basket |");
    }

    @Test
    void searchCorpus() throws Exception {
        assertThat(output(SearchCorpus::main)).containsExactly("100 -> 1", "101 -> 3");
    }

    @Test
    void scoreClicks() throws Exception {
        assertThat(output(ScoreClicks::main))
                .containsExactly("2: 0.26894143", "4: 0.37754068", "5: 0.62245935");
    }

    @Test
    void transformNames() throws Exception {
        assertThat(output(TransformNames::main))
                .containsExactly("+I[D John, public]", "+I[X X, friends]");
    }

    @Test
    void filesThatAreNamedAreRead(@TempDir Path folder) throws Exception {
        Path lines = Files.writeString(folder.resolve("lines of it's.txt"), "a@b.example;1.0\n");
        assertThat(output(LinesOfFiles::main, lines.toString()))
                .containsExactly("a@b.example 1.0 1.0 1");
        assertThat(output(FirstSql::main, lines.toString()))
                .contains("|                    [EMAIL];1.0 |");
    }

    @Test
    void linesOfFiles() throws Exception {
        assertThat(output(LinesOfFiles::main))
                .containsExactlyInAnyOrder("cellar 12.5 12.5 1", "roof 30.1 30.55 2");
    }
}
