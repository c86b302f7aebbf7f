package io.flinkgpu;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The line {@code Covers:} that each test has at the end of its comment, by which a class's tests are found:
 * {@code git grep 'Covers:.*LineTable'}. It names classes, with their package where the name alone is two classes', or
 * what else is tested: a file or a folder, from the root.
 *
 * <p>Covers: flink-gpu-operators/src/test/java.
 */
class CoversTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LARGE_LINES = 100;

    /** Those with classes that tests are to be found of; benchmarks and kernels have tests of their own kind. */
    private static final List<String> MODULES =
            List.of(
                    "flink-gpu-operators",
                    "flink-gpu-sql",
                    "flink-gpu-sql-planner",
                    "flink-gpu-sql-planner-loader",
                    "examples",
                    "applications",
                    "applications/kafka");

    private static final Pattern COVERS = Pattern.compile("(?s) \\* (?:<p>)?Covers: (.*?)\\.\\n");

    /** A file of Java; its name is that of its class, with the package. */
    private record Source(Path file, String name) {

        boolean isCalled(String text) {
            return name.endsWith("." + text);
        }

        boolean isTest() {
            return name.matches(".*(Test|ITCase|Contract)");
        }

        String text() {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static List<Source> sources(String module, String tree) throws IOException {
        Path folder = ROOT.resolve(module).resolve(tree);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .map(
                            file ->
                                    new Source(
                                            file,
                                            folder.relativize(file)
                                                    .toString()
                                                    .replace(".java", "")
                                                    .replace('/', '.')))
                    .toList();
        }
    }

    private static Optional<List<String>> covers(String text) {
        Matcher line = COVERS.matcher(text);
        return line.find()
                ? Optional.of(List.of(line.group(1).replace("\n *", "").split(", ")))
                : Optional.empty();
    }

    private static List<Source> all(String tree) throws IOException {
        List<Source> all = new ArrayList<>();
        for (String module : MODULES) {
            all.addAll(sources(module, tree));
        }
        return all;
    }

    @Test
    void eachTestSaysWhatItCovers() throws IOException {
        List<Source> mains = all("src/main/java");
        List<Source> tests = all("src/test/java");
        for (String module : MODULES) {
            List<Source> own = sources(module, "src/main/java");
            for (Source test : sources(module, "src/test/java")) {
                if (test.isTest()) {
                    Optional<List<String>> names = covers(test.text());
                    assertThat(names)
                            .as("%s has to end its comment with 'Covers: A, B.'", test.name())
                            .isPresent();
                    for (String name : names.orElseThrow()) {
                        assertThat(isOne(name, own) || isOne(name, mains) || isOther(name, tests))
                                .as("%s covers '%s': one class, file or folder", test.name(), name)
                                .isTrue();
                    }
                }
            }
        }
    }

    private static boolean isOne(String name, List<Source> classes) {
        return classes.stream().filter(type -> type.isCalled(name)).count() == 1;
    }

    private static boolean isOther(String name, List<Source> tests) {
        return isOne(name, tests) || Files.exists(ROOT.resolve(name));
    }

    @Test
    void eachLargeClassIsCoveredByName() throws IOException {
        Set<String> named =
                all("src/test/java").stream()
                        .filter(Source::isTest)
                        .flatMap(test -> covers(test.text()).stream().flatMap(List::stream))
                        .collect(Collectors.toSet());
        for (Source main : all("src/main/java")) {
            if (main.text().lines().count() > LARGE_LINES) {
                assertThat(named)
                        .as(
                                "%s has more than %d lines: its test names it in 'Covers:'",
                                main.name(), LARGE_LINES)
                        .anyMatch(main::isCalled);
            }
        }
    }

    @Test
    void linesAreReadOverTheirEnds() {
        assertThat(covers("/**\n * Text.\n *\n * <p>Covers: A, b.C,\n * D.\n */"))
                .hasValue(List.of("A", "b.C", "D"));
        assertThat(covers("/** Covers nothing. */")).isEmpty();
    }
}
