package io.flinkgpu.applications;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.fail;

/**
 * Each command in the pages of this repository: whether all that it names is there, and its options are accepted. What
 * the commands of {@code examples/run} do is run by the tests of each. A word that begins a command and is not known
 * here fails.
 *
 * <p>Covers: README.md, docs.
 */
class DocCommandsTest {

    private static final Path ROOT = DocCommands.ROOT;
    private static final Pattern CLASS =
            Pattern.compile("\\bio\\.flinkgpu(?:\\.[a-z]\\w*)*\\.[A-Z]\\w*");

    /** Of the system, of Flink, and of what else the pages ask for. */
    private static final Set<String> OTHERS =
            Set.of(
                    "cd",
                    "cp",
                    "curl",
                    "docker",
                    "kubectl",
                    "ls",
                    "mkdir",
                    "printf",
                    "prometheus",
                    "\"$FLINK_HOME/bin/start-cluster.sh\"",
                    "git",
                    "sed",
                    "\"$FLINK_HOME/bin/sql-client.sh\"",
                    "\"$FLINK_HOME/bin/sql-gateway.sh\"",
                    "\"$FLINK_HOME/bin/flink\"");

    @TestFactory
    Stream<DynamicTest> eachNamesWhatIsThere() throws IOException {
        Set<String> classes = new HashSet<>();
        for (Path file : DocCommands.files(".java")) {
            classes.add(file.toString().replaceAll(".*/java/", "").replace('/', '.'));
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : DocCommands.files(".md")) {
            List<String> commands = DocCommands.of(page);
            if (!commands.isEmpty() && !page.endsWith("CHANGELOG.md")) {
                tests.add(
                        DynamicTest.dynamicTest(
                                ROOT.relativize(page).toString(),
                                () -> commands.forEach(command -> check(command, classes))));
            }
        }
        assertThat(tests).hasSizeGreaterThan(8);
        return tests.stream();
    }

    private static void check(String command, Set<String> classes) {
        // Settings of the environment come before what is run.
        List<String> words =
                Arrays.stream(command.split("\\s+"))
                        .dropWhile(w -> w.matches("[A-Z_]+=.*"))
                        .toList();
        String first = words.get(0);
        List<String> rest = words.subList(1, words.size());
        CLASS.matcher(command)
                .results()
                .forEach(name -> assertThat(classes).as(command).contains(name.group() + ".java"));
        if (first.equals("examples/run")) {
            example(rest, command);
        } else if (first.equals("./mvnw")) {
            maven(rest, classes, command);
        } else if (first.equals("sh") && !rest.isEmpty() && rest.get(0).equals("run.sh")) {
            bundle(rest.subList(1, rest.size()), command);
        } else if (first.equals("benchmarks/run")) {
            assertThat(ROOT.resolve(first)).as(command).isExecutable();
            if (!rest.isEmpty() && rest.get(0).matches("[A-Z][a-z]\\w*")) {
                String name = "." + rest.get(0) + ".java";
                assertThat(classes).as(command).anyMatch(file -> file.endsWith(name));
            }
        } else if (first.endsWith(".sh") && first.matches("[a-z][\\w/.-]+")) {
            assertThat(ROOT.resolve(first)).as(command).isExecutable();
        } else if (first.equals("make")) {
            assertThat(ROOT.resolve("kernels/Makefile")).exists();
        } else if (first.equals("java")) {
            assertThat(CLASS.matcher(command).find()).as(command).isTrue();
        } else if (!OTHERS.contains(first)) {
            fail("no test knows this command of a page: " + command);
        }
        Stream.of("docker/", "docs/", "kernels/")
                .flatMap(folder -> words.stream().filter(word -> word.startsWith(folder)))
                .forEach(file -> assertThat(ROOT.resolve(file)).as(command).exists());
    }

    private static void example(List<String> words, String command) {
        String[] options = words.subList(1, words.size()).toArray(String[]::new);
        assertThatCode(() -> Examples.parse(words.get(0), options))
                .as(command)
                .doesNotThrowAnyException();
    }

    private static void maven(List<String> words, Set<String> classes, String command) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-pl")) {
                for (String module : words.get(i + 1).split(",")) {
                    assertThat(ROOT.resolve(module).resolve("pom.xml")).as(command).exists();
                }
            } else if (word.startsWith("-P")) {
                for (String profile : word.substring(2).split(",")) {
                    assertThat(profiles()).as(command).contains(profile);
                }
            } else if (word.startsWith("-Dtest=")) {
                for (String test : word.substring("-Dtest=".length()).split(",")) {
                    String name = "." + test + ".java";
                    assertThat(classes).as(command).anyMatch(file -> file.endsWith(name));
                }
            }
        }
    }

    private static Set<String> profiles() {
        Set<String> profiles = new TreeSet<>();
        try {
            for (Path pom : DocCommands.files("pom.xml")) {
                Pattern.compile("<profile>(?:\\s|<!--.*?-->)*<id>([\\w-]+)</id>", Pattern.DOTALL)
                        .matcher(Files.readString(pom))
                        .results()
                        .forEach(match -> profiles.add(match.group(1)));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return profiles;
    }

    /** A command of the bundle for a GPU machine: one of the cases of its script. */
    private static void bundle(List<String> words, String command) {
        try {
            List<Path> scripts = DocCommands.files("gpu-run.sh");
            assertThat(scripts).hasSize(1);
            Matcher usage =
                    Pattern.compile("usage=\"commands are ([^\"]*)\"")
                            .matcher(Files.readString(scripts.get(0)));
            assertThat(usage.find()).isTrue();
            assertThat(usage.group(1).split("[,;\\s]+")).as(command).contains(words.get(0));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCommandThatNamesWhatIsNotThereFails() {
        for (String wrong :
                List.of(
                        "examples/run log-redaction --no-such-option",
                        "examples/run NoSuchProgram",
                        "./mvnw -pl no-such-module test",
                        "./mvnw -Pno-such-profile test",
                        "./mvnw test -Dtest=NoSuchTest",
                        "sh run.sh gallop",
                        "benchmarks/run NoSuchBench",
                        "docker/no-such.sh FOLDER",
                        "java -cp x io.flinkgpu.NoSuchClass",
                        "gallop")) {
            assertThat(failureOf(() -> check(wrong, Set.of()))).as(wrong).isPresent();
        }
    }

    private static Optional<AssertionError> failureOf(Runnable check) {
        try {
            check.run();
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(e);
        }
    }
}
