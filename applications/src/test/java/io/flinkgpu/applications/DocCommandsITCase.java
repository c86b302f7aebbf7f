package io.flinkgpu.applications;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the commands of the pages, those of a page in turn and in one folder, with short inputs. The others are in {@link
 * CommandsElsewhere}: a command that is neither run here nor listed there fails. With {@code -Ddocs.update=true} the list
 * in CONTRIBUTING.md is written.
 *
 * <p>Covers: README.md, docs.
 */
class DocCommandsITCase {

    private static final Path LIST = DocCommands.ROOT.resolve("CONTRIBUTING.md");
    private static final String BEGIN =
            "<!-- commands that no test runs, made by DocCommandsITCase -->\n";
    private static final String END = "<!-- end of the commands that no test runs -->\n";

    private static final String EXAMPLE = "examples/run ";
    private static final Set<String> IN_A_SHELL = Set.of("mkdir", "printf", "sed");
    private static final Pattern FILE = Pattern.compile("[\\w.-]+\\.(?:log|sql|tsv|txt|yaml)");
    private static final Pattern MANY = Pattern.compile("[0-9]{4,}");
    private static final String FEW = "2000";

    /** What commands get besides that makes their inputs short. */
    private static final Map<String, List<String>> SHORT =
            Map.of(
                    "generate-documents", List.of("--documents", FEW, "--queries", "10"),
                    "log-redaction", List.of("--sample-mb", "1", "--output", "DIR"),
                    "name-redaction", List.of("--rows", FEW),
                    "near-duplicates", List.of("--rows", FEW),
                    "score-clicks", List.of("--rows", FEW),
                    "sensor-windows", List.of("--rows", FEW),
                    "sql-redaction", List.of("--output", "DIR"));

    /** What a reader puts in the place of a word. */
    private static final Map<String, String> READERS =
            Map.of(
                    "check-rules FILE", "check-rules rules.yaml",
                    "--input FILE", "--input measurements.txt",
                    "--report FILE", "--report found.txt",
                    "REGEX", "\\d{4}-\\d\\d");

    /** Files that a reader has, unless a command of the page makes them. */
    private static final Map<String, String> FILES =
            Map.of(
                    "KEY", "0123456789abcdef0123456789abcdef",
                    "app.log", "2026-01-01 one line\n2026-01-01 two lines\n2026-01-01 two lines\n",
                    "measurements.txt", "Hamburg;12.0\nBremen;-3.4\n",
                    "my.sql", "SELECT REDACT('login of jane@example.com');\n",
                    "rules.yaml", "include: default\n",
                    "statements.sql", "SELECT REDACT('login of jane@example.com');\n",
                    "tables.txt", "T\tusers\t2\tf32\tzero\n");

    private static final String LOOKUPS =
            "P\tusers\t7\t3f800000,40000000\nL\tfirst\tusers\tsum\t7,7,8\n";
    private static final String SEARCHES = "U\t1\t1,2\nQ\tq\t1\t0\t0\t1\n";

    private final Set<String> done = new HashSet<>();

    private static Map<Path, List<String>> pages() throws IOException {
        Map<Path, List<String>> pages = new LinkedHashMap<>();
        for (Path page : DocCommands.files(".md").stream().sorted().toList()) {
            List<String> commands = DocCommands.of(page);
            if (!commands.isEmpty() && !page.endsWith("CHANGELOG.md")) {
                pages.put(page, commands);
            }
        }
        return pages;
    }

    private static boolean isElsewhere(String command) {
        return Stream.of(CommandsElsewhere.BY_OTHER_TESTS, CommandsElsewhere.BY_NONE)
                .flatMap(List::stream)
                .anyMatch(entry -> entry.has(command));
    }

    @TestFactory
    Stream<DynamicTest> thoseOfAPageRunInTurn(@TempDir Path folder) throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<Path, List<String>> page : pages().entrySet()) {
            List<String> commands =
                    page.getValue().stream().filter(line -> !isElsewhere(line)).toList();
            if (!commands.isEmpty()) {
                String name = DocCommands.ROOT.relativize(page.getKey()).toString();
                Path own = folder.resolve(name.replace('/', '-'));
                tests.add(DynamicTest.dynamicTest(name, () -> run(commands, own)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(10);
        return tests.stream();
    }

    private void run(List<String> commands, Path folder) throws Exception {
        Files.createDirectories(folder);
        // What the pages name of the repository is there as in a checkout.
        Files.createSymbolicLink(
                folder.resolve("applications"), DocCommands.ROOT.resolve("applications"));
        String all = String.join("\n", commands);
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            write(folder.resolve(file.getKey()), file.getValue(), all);
        }
        boolean searches = all.contains("set-search --operations");
        write(folder.resolve("operations.txt"), searches ? SEARCHES : LOOKUPS, all);
        for (String command : commands) {
            if (command.startsWith(EXAMPLE)) {
                example(command, folder);
            } else {
                shell(command, folder);
            }
        }
    }

    private static void write(Path file, String text, String commands) throws IOException {
        String name = Pattern.quote(file.getFileName().toString());
        Pattern made = Pattern.compile("(?:> |--output(?:-\\w+)? )" + name);
        if (!made.matcher(commands).find()) {
            Files.writeString(file, text);
        }
    }

    private static void shell(String command, Path folder) throws Exception {
        assertThat(IN_A_SHELL)
                .as("first words of commands that are run, as of: " + command)
                .contains(command.split(" ")[0]);
        Path said = folder.resolve("said");
        int code =
                new ProcessBuilder("sh", "-c", command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start()
                        .waitFor();
        assertThat(code).as(command + ": " + Files.readString(said)).isZero();
    }

    private void example(String command, Path folder) throws IOException {
        String typed = command.substring(EXAMPLE.length());
        for (Map.Entry<String, String> reader : READERS.entrySet()) {
            typed =
                    typed.replaceAll(
                            Pattern.quote(reader.getKey()) + "\\b",
                            reader.getValue().replace("\\", "\\\\"));
        }
        List<String> words = new ArrayList<>(Arrays.asList(typed.split("\\s+")));
        boolean ofFiles = words.stream().anyMatch(word -> FILE.matcher(word).matches());
        if (!ofFiles && !done.add(typed)) {
            return;
        }
        String example = words.remove(0);
        List<String> shorter = SHORT.getOrDefault(example, List.of());
        for (int i = 0; i < shorter.size(); i += 2) {
            if (!words.contains(shorter.get(i)) && !isMadeOf(words, shorter.get(i))) {
                words.addAll(shorter.subList(i, i + 2));
            }
        }
        Object[] args =
                words.stream()
                        .map(word -> MANY.matcher(word).matches() ? FEW : file(word, folder))
                        .toArray();
        Cli cli = Examples.run(example, args);
        assertThat(cli.code()).as(command + ": " + String.join("\n", cli.err())).isZero();
    }

    /** Made-up rows are in the place of an input. */
    private static boolean isMadeOf(List<String> words, String option) {
        return words.contains("--input") && Set.of("--rows", "--sample-mb").contains(option);
    }

    private static String file(String word, Path folder) {
        if (word.equals("DIR")) {
            return folder.resolve("dir-" + System.nanoTime()).toString();
        }
        boolean isFile = FILE.matcher(word).matches() || FILES.containsKey(word);
        return isFile ? folder.resolve(word).toString() : word;
    }

    @Test
    void whatIsListedIsInAPage() throws IOException {
        List<String> commands = pages().values().stream().flatMap(List::stream).toList();
        Set<String> tests = new HashSet<>();
        for (Path file : DocCommands.files(".java")) {
            tests.add(file.getFileName().toString());
        }
        for (CommandsElsewhere entry : CommandsElsewhere.BY_OTHER_TESTS) {
            assertThat(commands).as(entry.begin()).anyMatch(entry::has);
            assertThat(tests).contains(entry.note() + ".java");
        }
        for (CommandsElsewhere entry : CommandsElsewhere.BY_NONE) {
            assertThat(commands).as(entry.begin()).anyMatch(entry::has);
        }
    }

    @Test
    void aCommandThatIsNeitherRunNorListedFails(@TempDir Path folder) {
        assertThat(isElsewhere("gallop --far")).isFalse();
        assertThat(failure(List.of("gallop --far"), folder.resolve("a"))).contains("gallop");
        assertThat(failure(List.of("sed -n p no-such-file"), folder.resolve("b")))
                .contains("no-such-file");
        assertThat(failure(List.of("examples/run lookup --tables x"), folder.resolve("c")))
                .contains("examples/run lookup --tables x");
    }

    private String failure(List<String> commands, Path folder) {
        try {
            run(commands, folder);
        } catch (AssertionError e) {
            return e.getMessage();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("passed: " + commands);
    }

    @Test
    void thePageListsWhatNoTestRuns() throws IOException {
        String page = Files.readString(LIST);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String updated =
                page.substring(0, begin)
                        + CommandsElsewhere.table()
                        + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(LIST, updated);
        }
        assertThat(page).isEqualTo(updated);
    }
}
