package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.imageio.ImageIO;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class BenchTest {

    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Bench.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void writesFiguresOfEveryAxisAndPlots() throws Exception {
        int code = run("--quick", "--output", folder.toString());
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        Report report = Report.read(folder.resolve(Bench.JSON));
        Set<String> axes = new HashSet<>();
        for (Figure figure : report.figures()) {
            axes.add(figure.axis());
            assertThat(figure.least()).as("%s", figure).isLessThanOrEqualTo(figure.median());
            assertThat(figure.most()).as("%s", figure).isGreaterThanOrEqualTo(figure.median());
            assertThat(figure.unit()).isNotBlank();
        }
        assertThat(axes).containsExactlyInAnyOrderElementsOf(Bench.AXES.keySet());
        assertThat(report.hardware().cores()).isPositive();
        assertThat(report.command()).startsWith("bench --quick");
        assertThat(ImageIO.read(folder.resolve("throughput-by-batch.png").toFile()).getWidth())
                .isGreaterThan(1000);
        for (String plot :
                new String[] {"cost-by-rules", "cost-by-keys", "latency-by-load", "cpu-or-gpu"}) {
            assertThat(folder.resolve(plot + ".png")).isNotEmptyFile();
        }
    }

    @Test
    void figuresAreKeptWhenNothingCanBeDrawn() throws Exception {
        Files.createDirectory(folder.resolve("throughput-by-batch.png"));
        assertThat(run("batch", "--quick", "--output", folder.toString())).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("the plots cannot be drawn", "bench plots bench.json")
                .hasLineCount(1);
        Path json = folder.resolve(Bench.JSON);
        assertThat(Report.read(json).figures()).isNotEmpty();
        Path again = folder.resolve("again");
        assertThat(run("plots", json.toString(), again.toString())).isZero();
        assertThat(again).isDirectoryContaining("glob:**throughput-by-batch.png");
        assertThat(again.resolve("latency-by-load.png")).doesNotExist();
    }

    @Test
    void helpNamesEveryAxis() {
        assertThat(run("lines", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(Bench.AXES.keySet());
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aFigureIsInTheFileAsSoonAsItIsMeasured() throws Exception {
        Path json = folder.resolve(Bench.JSON);
        Hardware hardware = new Hardware("", "", "", 1, "", 0, 0, 0);
        Report head = new Report("", "", "", "", hardware, List.of());
        Settings settings = Settings.parse(new String[] {"--quick"}, Bench.AXES.keySet());
        try (Lab lab = new Lab(settings, new PrintStream(out, true, StandardCharsets.UTF_8))) {
            lab.keepIn(figures -> head.with(figures).write(json));
            assertThat(Report.read(json).figures()).isEmpty();
            Figure figure = Figure.of("batch", "cpu", Map.of("batchBytes", 1L), "GB/s", 3, 1, 2);
            lab.add(figure);
            assertThat(Report.read(json).figures()).containsExactly(figure);
        }
    }

    @Test
    void aMistakeIsToldInOneLine() {
        assertMistake("no such axis or option: 'colour'; axes are [batch,", "colour");
        assertMistake("plots are drawn from a file that bench wrote: file=none;", "plots");
        assertMistake("plots are drawn from a file that bench wrote: file=no;", "plots", "no");
        String output = folder.resolve("out").toString();
        String missing = folder.resolve("no").toString();
        assertMistake(
                "lines are read from a folder: input=" + missing,
                "--input",
                missing,
                "--output",
                output);
        assertMistake(
                "a folder of lines has none: input=" + folder,
                "--input",
                folder.toString(),
                "--output",
                output);
    }

    private void assertMistake(String message, String... args) {
        err.reset();
        assertThat(run(args)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("bench: " + message)
                .hasLineCount(1);
    }
}
