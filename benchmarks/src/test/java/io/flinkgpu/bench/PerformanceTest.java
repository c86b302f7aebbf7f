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
        Files.copy(DOCS.resolve(Performance.JSON), folder.resolve(Performance.JSON));
        assertThat(run(folder.toString())).isZero();
        List<String> made = files(folder);
        assertThat(made).contains("performance.md").hasSize(2 + PerformancePlots.all().size());
        for (String file : made) {
            assertThat(DOCS.resolve(file)).hasSameBinaryContentAs(folder.resolve(file));
        }
        assertThat(files(DOCS.resolve(PerformancePage.PLOTS)))
                .hasSize(PerformancePlots.all().size());
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
                .contains("| 4e3, 2026-02-01 |")
                .contains("150: met");
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
        String engine = axis.equals("records") ? "flink-cpu-over-map" : Engines.CPU;
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
