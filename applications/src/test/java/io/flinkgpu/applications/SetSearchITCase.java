package io.flinkgpu.applications;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From files to a file of answers, compared with a search of everything.
 *
 * <p>Covers: SetSearch, SetSearchOptions.
 */
@Timeout(300)
class SetSearchITCase {

    /** So many that answers do not fit one buffer of the network: of several readers they would be mixed. */
    private static final int LINES = 6_000;

    @TempDir private Path folder;
    private Path documents;
    private Path queries;
    private Path operations;
    private Path output;

    @BeforeEach
    void name() {
        documents = folder.resolve("documents");
        queries = folder.resolve("queries");
        operations = folder.resolve("operations");
        output = folder.resolve("answers");
    }

    private static Random random() {
        long seed = System.nanoTime();
        System.out.println("SetSearchITCase: seed=" + seed);
        return new Random(seed);
    }

    private static List<Long> set(Random random) {
        int size = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(12);
        // Some of them twice, and both ends of their range.
        return LongStream.range(0, size)
                .map(i -> random.nextInt(20))
                .mapToObj(e -> e == 19 ? 4_294_967_295L : e)
                .toList();
    }

    private static String text(List<Long> set) {
        return set.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private List<Path> tree() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private Cli search(Object... more) {
        List<Object> args = new ArrayList<>(List.of("--output", output, "--backend", "cpu"));
        args.addAll(List.of(more));
        return Cli.runSearch(args.toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void documentsAndQueries(int parallelism) throws IOException {
        Random random = random();
        SearchOracle oracle = new SearchOracle();
        StringBuilder text = new StringBuilder();
        for (int id = 0; id < 500; id++) {
            List<Long> set = set(random);
            oracle.put(id, set);
            text.append(text(set)).append(random.nextInt(5) == 0 ? "\r\n" : "\n");
        }
        // The last line has no end.
        oracle.put(500, List.of(1L, 2L));
        Files.writeString(documents, text + "2,1");
        List<String> asked = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int query = 0; query < 60; query++) {
            List<Long> set = set(random);
            asked.add(text(set));
            expected.add(oracle.answer(7, 0, false, set));
        }
        Files.write(queries, asked);

        Cli run =
                search(
                        "--documents",
                        documents,
                        "--queries",
                        queries,
                        "--k",
                        7,
                        "--parallelism",
                        parallelism);

        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(Files.readAllLines(output)).isEqualTo(expected);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().get(0))
                .startsWith("501 documents, ")
                .contains(", 60 queries", "(backend cpu, parallelism " + parallelism + ")");
        assertThat(tree()).containsExactly(output, documents, queries);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void operationsInTheirOrder(int parallelism) throws IOException {
        Random random = random();
        SearchOracle oracle = new SearchOracle();
        List<String> lines = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        double[] scores = {0, 0.25, 0.5, 1 / 3.0, 1, 2, -1};
        for (int line = 0; line < LINES; line++) {
            long id = random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(60) - 30;
            List<Long> set = set(random);
            switch (random.nextInt(3)) {
                case 0 -> {
                    oracle.put(id, set);
                    lines.add("U\t" + id + "\t" + text(set));
                }
                case 1 -> {
                    oracle.delete(id);
                    lines.add("D\t" + id);
                }
                default -> {
                    int k = 1 + random.nextInt(8);
                    double score = scores[random.nextInt(scores.length)];
                    boolean withZero = random.nextBoolean();
                    String ask = k + "\t" + score + "\t" + (withZero ? 1 : 0) + "\t" + text(set);
                    lines.add("Q\tq " + line + "\t" + ask);
                    expected.add("q " + line + "\t" + oracle.answer(k, score, withZero, set));
                }
            }
        }
        Files.writeString(operations, String.join(random.nextBoolean() ? "\n" : "\r\n", lines));

        Cli run = search("--operations", operations, "--parallelism", parallelism);

        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(Files.readAllLines(output)).isEqualTo(expected);
        assertThat(run.err().get(0)).startsWith("6,000 operations, ");
    }

    @Test
    void filesWithoutLines() throws IOException {
        Files.createFile(documents);
        Files.writeString(queries, "1\n\n2");
        assertThat(search("--documents", documents, "--queries", queries).code()).isZero();
        assertThat(Files.readString(output)).isEqualTo("\n\n\n");
        Files.delete(output);
        assertThat(search("--documents", queries, "--queries", documents).code()).isZero();
        assertThat(output).isEmptyFile();
        Files.delete(output);
        assertThat(search("--operations", documents).code()).isZero();
        assertThat(output).isEmptyFile();
    }

    /** The file of answers is there only if it is whole. */
    private void assertFails(Cli run, String message) throws IOException {
        assertThat(run.err()).containsExactly("set-search: the job failed: " + message);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(1);
        assertThat(tree())
                .doesNotContain(output)
                .noneMatch(file -> file.toString().endsWith("part"));
    }

    @Test
    void malformedLines() throws IOException {
        Files.writeString(documents, "1,2\n3,4\n5,secret,6\n");
        Files.writeString(queries, "1\n");
        assertFails(
                search("--documents", documents, "--queries", queries),
                "a line is malformed: file="
                        + documents
                        + ", line=3 (the first is 1): elements are numbers from 0 to 4294967295 with"
                        + " ',' between, and element 2 is none; correct it");
        Files.writeString(documents, "1\n");
        Files.writeString(queries, "1\n-1\n");
        assertFails(
                search("--documents", documents, "--queries", queries),
                "a line is malformed: file="
                        + queries
                        + ", line=2 (the first is 1): elements are numbers from 0 to 4294967295 with"
                        + " ',' between, and element 1 is none; correct it");
        Files.writeString(operations, "U\t1\t2\nQ\t1\t1\t0\t0\t2\nQ\t2\t1\tNaN\t0\t2\n");
        assertFails(
                search("--operations", operations),
                "a line is malformed: file="
                        + operations
                        + ", line=3 (the first is 1): minScore, the fourth field of a query, is a"
                        + " number; use 0 for all");
    }

    @Test
    void moreDocumentsThanThereIsRoomFor() throws IOException {
        String line =
                LongStream.range(0, 100).mapToObj(Long::toString).collect(Collectors.joining(","));
        Files.writeString(documents, (line + "\n").repeat(20_000));
        Files.writeString(queries, "1\n");
        Cli run =
                search(
                        "--documents",
                        documents,
                        "--queries",
                        queries,
                        "--parallelism",
                        1,
                        "--corpus-bytes",
                        1 << 20);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).hasSize(1);
        assertThat(run.err().get(0))
                .startsWith(
                        "set-search: the job failed: a corpus has no room for its documents:"
                                + " name=documents, neededBytes=")
                .contains(", corpusBytes=1048576, documents=")
                .endsWith("; corpusBytes is --corpus-bytes N");
        assertThat(tree()).containsExactly(documents, queries);
    }

    @Test
    void moreRoomThanThereIsHeap() throws IOException {
        Files.writeString(operations, "U\t1\t2\n");
        assertFails(
                search("--operations", operations, "--parallelism", 1, "--corpus-bytes", 1L << 50),
                "no memory for what a program keeps: name=documents, bytes=1125899906842624,"
                        + " freeBytes="
                        + Runtime.getRuntime().maxMemory()
                        + "; give the process a larger heap, or ask for less; these bytes are"
                        + " --corpus-bytes N");
    }

    private void assertRefused(Cli run, String... messages) {
        assertThat(run.err())
                .containsExactlyElementsOf(
                        Stream.of(messages).map(message -> "set-search: " + message).toList());
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void mistakesOfTheCaller() throws IOException {
        String needed =
                "options --documents and --queries are needed, or --operations: name files of sets,"
                        + " or make them with examples/run generate-documents";
        assertRefused(Cli.runSearch(), needed, "option --output is needed: name a new file");
        assertRefused(search("--queries", queries), needed);
        assertRefused(
                search("--operations", operations, "--documents", documents),
                "--operations is there in place of --documents and --queries: leave it out, or them");
        assertRefused(
                search("--operations", operations, "--k", 5),
                "--k is for --queries: leave it out, each query among the operations has its own");
        assertRefused(
                search("--operations", operations, "--k", 0, "--corpus-bytes", "x", "--frob"),
                "option --k is a whole number from 1 to 2147483647, not '0'",
                "option --corpus-bytes is a whole number from 1048576 to 1125899906842624, not 'x'",
                "unknown option '--frob': see --help");
        assertRefused(
                search("--documents", folder, "--queries", queries),
                "documents '" + folder + "' is no file: name one",
                "queries '" + queries + "' does not exist: name a file");
        Files.writeString(operations, "");
        Files.writeString(output, "of another run");
        assertRefused(
                search("--operations", operations),
                "output '" + output + "' exists: name a new file");
        assertThat(output).hasContent("of another run");
        Files.delete(output);
        Path part = Files.writeString(folder.resolve("answers.part"), "of another run");
        assertRefused(
                search("--operations", operations),
                "output '"
                        + part
                        + "' exists: name a new file, or delete it if no other run writes it");
        assertThat(part).hasContent("of another run");
    }
}
