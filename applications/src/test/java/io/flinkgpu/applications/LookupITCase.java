package io.flinkgpu.applications;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From files to a file of results, compared with maps of vectors.
 *
 * <p>Covers: Lookup.
 */
@Timeout(300)
class LookupITCase {

    private static final String[] TYPES = {"f32", "f16", "bf16"};
    private static final String[] MISSING = {
        "zero", "const:c0490fdb", "const:80000000", "const:ff800001", "skip"
    };
    private static final String[] COMBINERS = {"none", "sum", "mean", "max"};

    @TempDir private Path folder;
    private Path tables;
    private Path operations;
    private Path output;

    @BeforeEach
    void name() {
        tables = folder.resolve("tables");
        operations = folder.resolve("operations");
        output = folder.resolve("results");
    }

    private Cli look(Object... more) {
        List<Object> args =
                new ArrayList<>(
                        List.of(
                                "--tables",
                                tables,
                                "--operations",
                                operations,
                                "--output",
                                output));
        args.addAll(List.of(more));
        return Cli.runLookup(args.toArray());
    }

    @ParameterizedTest
    @CsvSource({"1, cpu, 1000000", "3, cpu, 0", "2, auto, 2000"})
    void operationsInTheirOrder(int parallelism, String backend, long hostBytes)
            throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LookupOracle oracle = new LookupOracle();
        List<String> tableLines = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            String type = TYPES[i % 3];
            String missing = MISSING[i / 3];
            int dimension = 1 + random.nextInt(9);
            tableLines.add("T\tt" + i + "\t" + dimension + "\t" + type + "\t" + missing);
            oracle.add("t" + i, dimension, type, missing);
        }
        Files.write(tables, tableLines);
        List<String> lines = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int line = 0; line < 4_000; line++) {
            String table = "t" + random.nextInt(15);
            long id = id(random);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    String elements = oracle.randomElements(table, random);
                    oracle.put(table, id, elements);
                    lines.add("P\t" + table + "\t" + id + "\t" + elements);
                }
                case 2 -> {
                    if (random.nextInt(3) == 0) {
                        oracle.remove(table, id);
                        lines.add("X\t" + table + "\t" + id);
                    }
                }
                default -> {
                    List<Long> ids =
                            Stream.generate(() -> id(random)).limit(random.nextInt(6)).toList();
                    String combiner = COMBINERS[random.nextInt(4)];
                    String text =
                            ids.stream().map(String::valueOf).collect(Collectors.joining(","));
                    lines.add("L\tr " + line + "\t" + table + "\t" + combiner + "\t" + text);
                    expected.add("r " + line + "\t" + oracle.find(table, combiner, ids));
                }
            }
        }
        Files.write(operations, lines);

        Cli run =
                look("--backend", backend, "--parallelism", parallelism, "--host-bytes", hostBytes);

        assertThat(run.code()).as("seed=%d %s", seed, run.err()).isZero();
        assertThat(Files.readAllLines(output)).as("seed=" + seed).isEqualTo(expected);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().get(0))
                .contains(" operations on 15 tables, ", ", parallelism " + parallelism + ")");
    }

    private static long id(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            default -> random.nextInt(20) - 10;
        };
    }

    /** The last line has no end; names are any bytes but tabs. */
    @Test
    void emptyListsOfIdsAndOneLookup() throws IOException {
        Files.writeString(tables, "T\tü\t2\tf32\tskip\r\nT\tb\r\t1\tbf16\tconst:3f800000\n");
        Files.writeString(
                operations,
                "L\té\tü\tnone\t\nL\t\tü\tsum\t\nP\tü\t-1\t3F800000,7fc00001\nL\ta\tü\tnone\t-1,5,-1\n"
                        + "L\tb\tb\r\tmean\t1,2\nL\tb\tb\r\tmax\t");
        Cli run = look("--backend", "cpu");
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(Files.readString(output))
                .isEqualTo(
                        "é\t\n\t00000000,00000000\na\t3f800000,7fc00001,3f800000,7fc00001\n"
                                + "b\t3f800000\nb\t00000000\n");
    }

    @Test
    void noOperationsGiveNoResults() throws IOException {
        Files.writeString(tables, "T\tt\t2\tf32\tzero\n");
        Files.writeString(operations, "");
        assertThat(look("--backend", "cpu").code()).isZero();
        assertThat(output).isEmptyFile();
    }

    @Test
    void aMalformedOperationIsNamedByItsLine() throws IOException {
        Files.writeString(tables, "T\tt\t2\tf32\tzero\n");
        Files.writeString(operations, "X\tt\t1\nX\tt\tone\n");
        Cli run = look("--backend", "cpu", "--parallelism", 1);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .containsExactly(
                        "lookup: the job failed: a line is malformed: file="
                                + operations
                                + ", line=2 (the first is 1): an id is a whole number of 64 bits, with"
                                + " its sign; correct it");
        assertThat(output).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T;t;2;f32",
                "T;t;0;f32;zero",
                "T;t;x;f32;zero",
                "T;;2;f32;zero",
                "T;t;2;f64;zero",
                "T;t;2;f32;const:3f8",
                "T;t;2;f32;none",
                "T;a;2;f32;zero",
                "t;2;f32;zero"
            })
    void aMalformedTableIsNamedByItsLine(String line) throws IOException {
        Files.writeString(tables, "T\ta\t1\tf32\tskip\n" + line.replace(';', '\t') + "\n");
        Files.writeString(operations, "");
        Cli run = look("--backend", "cpu");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).hasSize(1);
        assertThat(run.err().get(0))
                .startsWith(
                        "lookup: the job failed: a line is malformed: file="
                                + tables
                                + ", line=2 (the first is 1): ")
                .contains("; ");
    }

    @Test
    void theCommandLineIsChecked() throws IOException {
        assertThat(Cli.runLookup().err())
                .containsExactly(
                        "lookup: option --tables is needed: name a file of tables",
                        "lookup: option --operations is needed: name a file of operations",
                        "lookup: option --output is needed: name a new file");
        Files.writeString(tables, "");
        Files.writeString(operations, "");
        Cli run = look();
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .containsExactly("lookup: tables '" + tables + "' has no line: describe a table");
        Files.writeString(tables, "T\tt\t1\tf32\tzero");
        output = folder.resolve("a".repeat(252)); // And ".part" for a while.
        assertThat(look().err()).hasSize(1);
        assertThat(look().err().get(0))
                .startsWith("lookup: cannot write output '" + output + "', ")
                .endsWith(": name a file in a folder that exists and is writable");
        assertThat(Cli.runLookup("--help").out().get(0)).startsWith("Usage: examples/run lookup");
    }

    /** The commands of docs/lookup.md as they are there, and the result that it promises. */
    @Test
    void recipeOfThePageGivesWhatItSays(@TempDir Path work) throws Exception {
        String page = Files.readString(Path.of("../docs/lookup.md"));
        List<MatchResult> files =
                Pattern.compile("printf '([^']*)' > (\\S+)").matcher(page).results().toList();
        assertThat(files).hasSize(2);
        for (MatchResult file : files) {
            String text = file.group(1).replace("\\t", "\t").replace("\\n", "\n");
            Files.writeString(work.resolve(file.group(2)), text);
        }
        Matcher command =
                Pattern.compile("examples/run lookup (.*?) +# (\\w+), tab, (\\S+)").matcher(page);
        assertThat(command.find()).isTrue();
        Object[] options =
                Stream.of(command.group(1).split(" +"))
                        .map(word -> word.startsWith("--") ? word : work.resolve(word).toString())
                        .toArray();
        Cli run = Cli.runLookup(options);
        assertThat(run.err()).filteredOn(line -> line.startsWith("lookup:")).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(work.resolve("results.txt"))
                .hasContent(command.group(2) + "\t" + command.group(3) + "\n");
    }
}
