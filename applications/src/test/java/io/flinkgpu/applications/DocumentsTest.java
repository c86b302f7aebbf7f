package io.flinkgpu.applications;

import io.flinkgpu.applications.GeneratedSets.QueryKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Generated documents and queries, and the command line of what makes them. */
class DocumentsTest {

    @TempDir Path directory;

    /** Of the generator as its author published it. */
    @Test
    void numbersAreThoseOfSplitMix() {
        SplitMix random = new SplitMix(1234567);
        assertThat(random.next()).isEqualTo(6457827717110365317L);
        assertThat(random.next()).isEqualTo(3203168211198807973L);
        assertThat(SplitMix.mix(1234567)).isEqualTo(6457827717110365317L);
    }

    @ParameterizedTest
    @CsvSource({
        "0, SORTED, UNIFORM, 8763c9b3ee8817b9",
        "1, SORTED, DRAWN, eca3581bc3919a82",
        "0.8, SHUFFLED, CHANGED, b6694b4cb6b3133b"
    })
    void theSameSeedsGiveTheSameSets(
            double skew, DocumentOptions.Order order, QueryKind kind, String sum) {
        GeneratedSets sets = sets(1_000, skew, order == DocumentOptions.Order.SORTED, kind);
        DrawnSet set = sets.newSet();
        long hash = 0;
        for (int i = 0; i < 1_000; i++) {
            sets.document(i, set);
            hash = hash(hash, set);
        }
        for (int i = 0; i < 100; i++) {
            sets.query(i, set);
            hash = hash(hash, set);
        }
        assertThat(Long.toHexString(hash)).isEqualTo(sum);
    }

    private static long hash(long before, DrawnSet set) {
        long hash = before;
        for (int i = 0; i < set.size(); i++) {
            hash = SplitMix.mix(hash ^ set.get(i));
        }
        return SplitMix.mix(hash ^ -1);
    }

    private static GeneratedSets sets(
            int documents, double skew, boolean sorted, QueryKind queryKind) {
        return new GeneratedSets(
                documents,
                new ElementDraws(50_001, skew, 42),
                SetLengths.TWO_DICE,
                sorted,
                queryKind,
                7,
                99);
    }

    @Test
    void filesOfSets() throws IOException {
        Path documents = directory.resolve("documents");
        Path queries = directory.resolve("queries");
        Cli made =
                Cli.runDocuments(
                        "--documents",
                        5_000,
                        "--queries",
                        300,
                        "--skew",
                        "1.2",
                        "--query-kind",
                        "changed",
                        "--output-documents",
                        documents,
                        "--output-queries",
                        queries);
        assertThat(made.code()).as("%s", made.err()).isZero();
        assertThat(made.out()).hasSize(2);
        assertThat(made.out().get(0))
                .startsWith("5,000 documents, ")
                .endsWith(documents.toString());
        assertThat(made.out().get(1)).startsWith("300 queries, ").endsWith(queries.toString());
        assertThat(directory).isDirectoryNotContaining("glob:**.part");

        List<int[]> sets = sets(documents);
        assertThat(sets).hasSize(5_000);
        GeneratedSets generated = sets(5_000, 1.2, true, QueryKind.CHANGED);
        DrawnSet set = generated.newSet();
        TreeMap<Integer, Integer> lengths = new TreeMap<>();
        for (int i = 0; i < sets.size(); i++) {
            generated.document(i, set);
            assertThat(sets.get(i)).isEqualTo(elements(set));
            lengths.merge(set.size(), 1, Integer::sum);
            assertThat(set.size()).isGreaterThanOrEqualTo(i == 0 ? 1 : sets.get(i - 1).length);
        }
        // 5,000 documents of 4,096 throws of two dice.
        assertThat(lengths.firstKey()).isEqualTo(1);
        assertThat(lengths.lastKey()).isEqualTo(127);
        assertThat(lengths.get(64)).isBetween(77, 79);
        int near = 0;
        for (int[] query : sets(queries)) {
            near +=
                    sets.stream()
                                    .anyMatch(
                                            document ->
                                                    common(document, query) * 10 > query.length * 6)
                            ? 1
                            : 0;
        }
        assertThat(near).isGreaterThan(250);
    }

    private static int[] elements(DrawnSet set) {
        int[] elements = new int[set.size()];
        Arrays.setAll(elements, set::get);
        return elements;
    }

    private static List<int[]> sets(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> Arrays.stream(line.split(",")).mapToInt(Integer::parseInt).toArray())
                .peek(set -> assertThat(set).isSorted().doesNotHaveDuplicates())
                .toList();
    }

    private static int common(int[] a, int[] b) {
        Set<Integer> all = new HashSet<>();
        Arrays.stream(a).forEach(all::add);
        return (int) Arrays.stream(b).filter(all::contains).count();
    }

    @ParameterizedTest
    @EnumSource(QueryKind.class)
    void queriesAreNeverEmpty(QueryKind kind) {
        GeneratedSets sets = sets(100, 0.8, false, kind);
        DrawnSet set = sets.newSet();
        for (int i = 0; i < 2_000; i++) {
            sets.query(i, set);
            assertThat(set.size()).isBetween(1, 128);
        }
    }

    @Test
    void frequenciesFollowZipfsLaw() {
        ElementDraws draws = new ElementDraws(1_000, 1, 5);
        SplitMix random = new SplitMix(1);
        int[] counts = new int[1_000];
        for (int i = 0; i < 1_000_000; i++) {
            counts[draws.draw(random)]++;
        }
        Arrays.sort(counts);
        // 1 / rank, of which 7.485 is the sum of a thousand.
        assertThat(counts[999]).isBetween(132_500, 134_700);
        assertThat(counts[998]).isBetween(65_900, 67_700);
        assertThat(counts[990]).isBetween(12_900, 13_800);
        assertThat(counts[0]).isPositive();
    }

    @Test
    void lengthsOfAFile() throws Exception {
        Path lengths = Files.writeString(directory.resolve("lengths"), "0 1\n3\t2\n1 1\n");
        Path documents = directory.resolve("documents");
        Cli made =
                Cli.runDocuments(
                        "--documents=8", "--lengths", lengths, "--output-documents", documents);
        assertThat(made.code()).as("%s", made.err()).isZero();
        assertThat(Files.readAllLines(documents).stream().map(DocumentsTest::length))
                .containsExactly(0, 0, 1, 1, 3, 3, 3, 3);
    }

    private static int length(String line) {
        return line.isEmpty() ? 0 : line.split(",").length;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'0 1;x' | line=2",
                "'5' | line=1",
                "'1025 1' | line=1",
                "'4 -1' | line=1",
            })
    void linesThatAreNoLengths(String text, String place) throws IOException {
        Path file = Files.writeString(directory.resolve("lengths"), text.replace(';', '\n'));
        UsageException thrown =
                catchThrowableOfType(UsageException.class, () -> SetLengths.read(file));
        assertThat(thrown.lines())
                .containsExactly(
                        "a line of --lengths is a length from 0 to 1024, a blank and how many sets"
                                + " have it: file="
                                + file
                                + ", "
                                + place
                                + "; correct it");
    }

    @Test
    void lengthsOfNoSets() throws IOException {
        Path file = Files.writeString(directory.resolve("lengths"), "0 5\n9 0\n");
        UsageException thrown =
                catchThrowableOfType(UsageException.class, () -> SetLengths.read(file));
        assertThat(thrown.lines())
                .containsExactly(
                        "--lengths has at least one set that is not empty, and at most 2147483648 in"
                                + " all: file="
                                + file
                                + ", sets=5; name another");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | option --output-documents or --output-queries is needed: name a new file",
                "--skew 1.6 | option --skew is a number from 0 to 1.5, not '1.6'",
                "--skew -1 | option --skew is a number from 0 to 1.5, not '-1'",
                "--order any | option --order is one of sorted, shuffled, not 'any': choose one",
                "--query-kind U | option --query-kind is one of uniform, drawn, changed, not 'U': choose one",
                "--elements 255 | option --elements is a whole number from 256 to 100000000, not '255'",
                "--lengths | option --lengths lacks its value: see --help"
            })
    void mistakes(String line, String error) {
        UsageException thrown =
                catchThrowableOfType(
                        UsageException.class,
                        () ->
                                DocumentOptions.parse(
                                        line.isEmpty() ? new String[0] : line.split(" ")));
        assertThat(thrown.lines()).containsExactly(error);
    }

    @Test
    void mistakesWithFiles() throws IOException {
        Path there = Files.writeString(directory.resolve("there"), "precious");
        Path file = directory.resolve("new");
        assertThat(Cli.runDocuments("--output-documents", there).err())
                .containsExactly(
                        "generate-documents: output '" + there + "' exists: name a new file");
        assertThat(Cli.runDocuments("--output-documents", file, "--output-queries", file).err())
                .containsExactly(
                        "generate-documents: --output-documents and --output-queries are one file, '"
                                + file
                                + "': name two");
        Path lengths = Files.writeString(directory.resolve("lengths"), "200 1\n");
        assertThat(
                        Cli.runDocuments(
                                        "--elements",
                                        399,
                                        "--lengths",
                                        lengths,
                                        "--output-documents",
                                        file)
                                .err())
                .containsExactly(
                        "generate-documents: --elements is at least twice the longest document:"
                                + " elements=399, longest=200; ask for more elements or shorter"
                                + " documents");
        assertThat(there).hasContent("precious");
        assertThat(file).doesNotExist();
    }
}
