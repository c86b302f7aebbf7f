package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** That {@code benchmarks/run} lists programs, and that those which the docs start with it are among them. */
class ProgramsInDocsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern COMMAND = Pattern.compile("benchmarks/run ([A-Za-z][\\w.]*)");

    private static String run(int code, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "benchmarks/run"));
        command.addAll(List.of(args));
        Process process =
                new ProcessBuilder(command)
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isEqualTo(code);
        return out;
    }

    @Test
    void everyProgramThatTheDocsStartIsThere() throws Exception {
        List<String> programs = run(0, "--help").lines().map(String::strip).toList();
        List<String> started = new ArrayList<>();
        for (Path page : pages()) {
            COMMAND.matcher(Files.readString(page))
                    .results()
                    .map(command -> command.group(1))
                    .filter(name -> !name.equals("NAME"))
                    .forEach(started::add);
        }
        assertThat(started).hasSizeGreaterThan(5);
        assertThat(programs).containsAll(started);
    }

    @Test
    void refusesAProgramThatItDoesNotKnow() throws Exception {
        assertThat(run(2, "Bunch"))
                .isEqualTo("benchmarks/run: no program 'Bunch': see benchmarks/run --help\n");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Stream<Path> pages = docs.filter(file -> file.toString().endsWith(".md"));
            return Stream.concat(pages, Stream.of(ROOT.resolve("CONTRIBUTING.md"))).toList();
        }
    }
}
