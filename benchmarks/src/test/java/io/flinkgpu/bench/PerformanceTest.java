package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** docs/performance.md is what docs/performance.json gives, and how reports get into that. */
class PerformanceTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Hardware HARDWARE =
            new Hardware("a GPU", "1.0", "a processor", 4, "17", 50, 50, 90);

    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Performance.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    /** Again after a change: {@code benchmarks/run Performance docs}. */
    @Test
    void pageAndPlotsAreOfTheFigures() throws Exception {
        Path docs = Files.createDirectory(folder.resolve("docs"));
        Path readme = folder.resolve("README.md");
        Files.copy(DOCS.resolve(Performance.JSON), docs.resolve(Performance.JSON));
        Files.copy(DOCS.resolve("../README.md"), readme);
        assertThat(run(docs.toString())).isZero();
        assertThat(readme).hasSameTextualContentAs(DOCS.resolve("../README.md"));
        List<String> made = files(docs);
        assertThat(made).contains("performance.md").hasSizeGreaterThan(2);
        for (String file : made) {
            assertThat(DOCS.resolve(file)).hasSameBinaryContentAs(docs.resolve(file));
        }
        assertThat(files(DOCS.resolve(PerformancePage.PLOTS)))
                .isEqualTo(files(docs.resolve(PerformancePage.PLOTS)));
    }

    @Test
    void fitsOnAFewScreens() throws Exception {
        assertThat(Files.readAllLines(DOCS.resolve("performance.md"))).hasSizeLessThan(130);
    }

    @Test
    void aNewerFigureReplacesAnOlderOneAndOthersStay() throws Exception {
        Report old =
                report("0ld", "2026-01-01T00:00:00Z", figure("regex", 1), figure("records", 90));
        Performance.write(List.of(old), folder.resolve(Performance.JSON));
        Path measured = folder.resolve("bench.json");
        report("4e3", "2026-02-01T00:00:00Z", figure("regex", 2), figure("unused", 3))
                .write(measured);
        assertThat(run(folder.toString(), measured.toString())).isZero();
        List<Report> kept = Performance.read(folder.resolve(Performance.JSON));
        assertThat(kept).extracting(Report::commit).containsExactly("4e3", "0ld");
        assertThat(kept.get(0).figures()).containsExactly(figure("regex", 2));
        assertThat(kept.get(1).figures()).containsExactly(figure("records", 90));
        assertThat(Files.readString(folder.resolve("performance.md")))
                .contains("**2,000** MB/s")
                .contains("| 2026-02-01 | 4e3; a GPU,")
                .contains("target 150: met");
    }

    @Test
    void oneRunReplacesThePageAndIsNamedOnce() throws Exception {
        Performance.write(
                List.of(report("0ld", "2026-01-01T00:00:00Z", figure("records", 90))),
                folder.resolve(Performance.JSON));
        Path stale = folder.resolve(PerformancePage.PLOTS).resolve("stale.svg");
        Files.createDirectories(stale.getParent());
        Files.writeString(stale, "of before");
        Path one = folder.resolve("bench.json");
        Path two = folder.resolve("peers.json");
        Hardware slower = new Hardware("a GPU", "1.0", "a processor", 4, "17", 40, 40, 80);
        Report bench = report("4e3", "2026-02-01T00:00:00Z", figure("records", 80));
        bench.write(one);
        new Report(
                        "4e3",
                        "peers regex --input /data/logs --output /tmp/out",
                        "2026-02-01T00:01:00Z",
                        "",
                        slower,
                        List.of(figure("regex", 2), figure("records", 70)))
                .write(two);
        assertThat(run(folder.toString(), "--replace", one.toString(), two.toString())).isZero();
        String page = Files.readString(folder.resolve("performance.md"));
        assertThat(page)
                .contains(
                        "All are of commit 4e3, of [one run](../CONTRIBUTING.md#figures) on one machine: a GPU,")
                .contains("link 40.0 GB/s to the device")
                .contains("**80.0** ns/record")
                .contains("| run | date | command |")
                .contains("2026-02-01 | `peers regex --input logs` |")
                .doesNotContain("0ld", "**70.0**", "an expression");
        assertThat(stale).doesNotExist();
        assertThat(Performance.read(folder.resolve(Performance.JSON))).hasSize(2);
    }

    @Test
    void anotherMachineOfTheSameCommitIsNamedAtItsRun() throws Exception {
        Performance.write(List.of(), folder.resolve(Performance.JSON));
        Figure latency = Figure.of("latency", "flink-gpu-p99", Map.of("loadPercent", 50L), "ms", 9);
        Hardware two = new Hardware("2 GPUs", "1.0", "a processor", 8, "17", 50, 50, 90);
        List<Report> reports =
                List.of(
                        report("4e3", "2026-02-01T00:00:00Z", figure("records", 80)),
                        new Report(
                                "4e3",
                                "bench devices",
                                "2026-02-01T00:00:00Z",
                                "",
                                two,
                                List.of(figure("regex", 2))),
                        report("4e3", "2026-02-02T00:00:00Z", latency));
        List<String> files = new ArrayList<>(List.of(folder.toString(), "--replace"));
        for (Report report : reports) {
            Path file = folder.resolve("report" + files.size() + ".json");
            report.write(file);
            files.add(file.toString());
        }
        assertThat(run(files.toArray(new String[0]))).isZero();
        assertThat(Files.readString(folder.resolve("performance.md")))
                .contains("All are, but for run [1](#run-1), of commit 4e3, of [one run]")
                .contains("| run | date | another commit, machine | command |")
                .contains("1 | 2026-02-01 | 2 GPUs, driver 1.0")
                .contains("2 | 2026-02-01 | | `bench` |");
    }

    @Test
    void figuresOfTheReadmeAreBetweenItsComments() throws Exception {
        Path docs = Files.createDirectory(folder.resolve("docs"));
        Path readme = folder.resolve("README.md");
        Figure peer = Figure.of("regex", "java.util.regex-all-cores", Map.of(), "GB/s", 0.5);
        Performance.write(
                List.of(report("4e3", "2026-02-01T00:00:00Z", figure("regex", 2), peer)),
                docs.resolve(Performance.JSON));
        String text =
                """
                above
                <!-- figures: made by `benchmarks/run Performance docs` -->
                old
                <!-- end of figures -->
                between
                <!-- slower: made by `benchmarks/run Performance docs` -->
                <!-- end of slower -->
                below
                """;
        Files.writeString(readme, text);
        assertThat(run(docs.toString())).isZero();
        assertThat(Files.readString(readme))
                .startsWith("above\n<!-- figures")
                .contains(
                        "16 CPU cores | **2,000 MB/s** | one alternation in `java.util.regex` 500 MB/s |")
                .contains("-->\nbetween\n<!-- slower")
                .endsWith("below\n")
                .doesNotContain("old");
        Files.writeString(readme, "nothing");
        assertThat(run(docs.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("performance: README.md has no place for figures");
    }

    @Test
    void replacingNeedsReports() {
        assertThat(run(folder.toString(), "--replace")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("performance: nothing is left of the page without reports");
    }

    @Test
    void refusesQuickRunsAndWhatIsNotCommitted() throws Exception {
        Performance.write(List.of(), folder.resolve(Performance.JSON));
        Path measured = folder.resolve("bench.json");
        new Report("4e3", "bench --quick", "2026-02-01T00:00:00Z", "", HARDWARE, List.of())
                .write(measured);
        assertThat(run(folder.toString(), measured.toString())).isEqualTo(2);
        report("4e3-dirty", "2026-02-01T00:00:00Z").write(measured);
        assertThat(run(folder.toString(), measured.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("a quick run's figures mean nothing: file=" + measured)
                .contains("commit=4e3-dirty; measure what is committed");
        assertThat(folder.resolve("performance.md")).doesNotExist();
    }

    private static Figure figure(String axis, double value) {
        String engine = axis.equals("records") ? "flink-cpu-over-map" : Engines.ALL_CORES;
        String unit = axis.equals("records") ? "ns/record" : "GB/s";
        return new Figure(axis, engine, Map.of(), unit, value, value, value, 1);
    }

    private static Report report(String commit, String started, Figure... figures) {
        return new Report(commit, "bench", started, "lines", HARDWARE, List.of(figures));
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return new ArrayList<>(
                    files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                            .sorted()
                            .toList());
        }
    }
}
