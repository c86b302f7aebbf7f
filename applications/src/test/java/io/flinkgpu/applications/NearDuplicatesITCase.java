package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole example on an embedded Flink; its alerts against a comparison of all pairs of texts. */
class NearDuplicatesITCase {

    private static final int ROWS = 2_000;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void alertsOfLinesWithKnownDuplicates(int parallelism) throws IOException {
        Path input =
                Files.writeString(
                        folder.resolve("in.log"),
                        """
                        user Zoë logged in from the office in Łódź
                        disk full

                        User ZOË logged in from the office in Łódź!\r
                        disk FULL
                        ---
                        user Zoë logged in from the garden in Łódź
                        user Zoë logged in from the office in Łódź today
                        disk full\
                        """);
        Cli run =
                run(
                        "--input",
                        input,
                        "--shingle",
                        2,
                        "--min-score",
                        "0.5",
                        "--parallelism",
                        parallelism);
        // Of 8 pairs of words line 7 has 6, and of its own 8, and line 8 has one more.
        assertThat(run.out())
                .containsExactly(
                        "4\t1\t1.0000",
                        "5\t2\t1.0000",
                        "7\t1\t0.6000",
                        "7\t4\t0.6000",
                        "8\t1\t0.8889",
                        "8\t4\t0.8889",
                        "8\t7\t0.5455",
                        "9\t2\t1.0000",
                        "9\t5\t1.0000");
        assertThat(run.err()).hasSize(2);
        assertThat(run.err().get(0)).isEqualTo("5 of 9 lines resemble an earlier one");
        assertThat(run.err().get(1))
                .matches(
                        "9 rows in [0-9.]+ s: [0-9,]+ rows/s \\(backend cpu, parallelism "
                                + parallelism
                                + "\\)");
        assertThat(run.code()).isZero();
    }

    @Test
    void alertsOfBytesInAFile() throws IOException {
        Path input = Files.writeString(folder.resolve("in"), "在庫を更新しました\n在庫を更新しました。\nother\n");
        Path output = folder.resolve("alerts");
        Cli run = run("--input", input, "--output", output, "--unit", "bytes", "--k", 1);
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(run.out()).isEmpty();
        // 27 bytes are 23 shingles, two of them the same, and 3 more bytes 3 more.
        assertThat(output).hasContent("2\t1\t0.8800");
    }

    @Test
    void madeUpCopiesAreFoundAndNothingElse() {
        List<String> expected = allPairs(ROWS);
        MadeUpNews news = new MadeUpNews();
        long copies = 0;
        for (long number = 1; number <= ROWS; number++) {
            if (news.original(number).isPresent()) {
                String pair = number + "\t" + news.original(number).getAsLong() + "\t";
                assertThat(expected).anyMatch(alert -> alert.startsWith(pair));
                copies++;
            }
        }
        assertThat(copies).isBetween(ROWS / 200L, ROWS / 50L);
        assertThat(expected)
                .allMatch(alert -> news.original(Long.parseLong(alert.split("\t")[0])).isPresent());

        Cli one = run("--rows", ROWS, "--parallelism", 1);
        assertThat(one.out()).isEqualTo(expected);
        assertThat(one.err())
                .contains(copies + " of " + copies + " edited copies found their originals");
        Cli three = run("--rows", ROWS, "--parallelism", 3);
        assertThat(three.out()).isEqualTo(expected);
        assertThat(run("--rows", ROWS, "--parallelism", 3).out()).isEqualTo(expected);
    }

    @Test
    void linesThatAreNoLongerKeptAreNotFound() {
        int keep = 300;
        List<String> all = allPairs(ROWS);
        List<String> near = allPairs(keep);
        assertThat(near).isNotEmpty().hasSizeLessThan(all.size());
        for (int parallelism : new int[] {1, 3}) {
            assertThat(run("--rows", ROWS, "--keep", keep, "--parallelism", parallelism).out())
                    .isEqualTo(near);
        }
    }

    @Test
    void theLastOneThatIsKeptIsFound() throws IOException {
        Path input = Files.writeString(folder.resolve("in"), "a\nb\na\nc\nd\na\n");
        assertThat(run("--input", input, "--keep", 2).out()).containsExactly("3\t1\t1.0000");
        assertThat(run("--input", input, "--keep", 3).out())
                .containsExactly("3\t1\t1.0000", "6\t3\t1.0000");
        assertThat(run("--input", input, "--keep", 1).out()).isEmpty();
    }

    private static Cli run(Object... args) {
        List<Object> all = new ArrayList<>(List.of("--backend", "cpu"));
        all.addAll(List.of(args));
        return Cli.runDuplicates(all.toArray());
    }

    /** The alerts of made-up news, of each item with those at most so far before it. */
    private static List<String> allPairs(int keep) {
        PairwiseAlerts pairs = new PairwiseAlerts(5);
        MadeUpNews news = new MadeUpNews();
        for (long number = 1; number <= ROWS; number++) {
            pairs.add(news.text(number));
        }
        return pairs.alerts(keep, 0.8, 3);
    }
}
