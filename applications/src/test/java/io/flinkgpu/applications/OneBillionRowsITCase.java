package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Lines;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The challenge's own samples, and files that it has none of. */
@Timeout(300)
class OneBillionRowsITCase {

    private static final Path SAMPLES = Path.of("src/test/resources/1brc-samples");

    @TempDir Path directory;

    /** All samples in one job. Tiny splits are for tiny files only: each is a message or two. */
    @ParameterizedTest
    @CsvSource({
        "1, 1000000, 1000, true",
        "2, 1, 1, false",
        "3, 7, 5, true",
        "4, 64, 100000, false",
        "2, 300, 33, true"
    })
    void samplesHowEverTheyAreSplit(int parallelism, int splitBytes, int chunkBytes, boolean ranges)
            throws Exception {
        StreamExecutionEnvironment env = Environments.of(new Configuration(), parallelism, 0);
        List<Path> samples = samples();
        DataStream<Tuple2<Integer, StationRow>> all = null;
        for (int i = 0; i < samples.size(); i++) {
            int least = (int) Files.size(samples.get(i)) / 200;
            LineFiles files =
                    LineFiles.of(new org.apache.flink.core.fs.Path(samples.get(i).toUri()))
                            .splitBytes(Math.max(splitBytes, least))
                            .chunkBytes(Math.max(chunkBytes, least));
            DataStream<? extends Lines> lines =
                    ranges
                            ? env.fromSource(
                                    files.ranges(), WatermarkStrategy.noWatermarks(), "ranges")
                            : env.fromSource(
                                    files.chunks(), WatermarkStrategy.noWatermarks(), "chunks");
            int sample = i;
            DataStream<Tuple2<Integer, StationRow>> rows =
                    OneBillionRows.stations(lines, BackendChoice.CPU)
                            .map(row -> Tuple2.of(sample, row))
                            .returns(TypeInformation.of(new TypeHint<>() {}));
            all = all == null ? rows : all.union(rows);
        }
        Map<Integer, List<StationRow>> rows = new HashMap<>();
        all.executeAndCollect(1_000_000)
                .forEach(row -> rows.computeIfAbsent(row.f0, n -> new ArrayList<>()).add(row.f1));
        for (int i = 0; i < samples.size(); i++) {
            StringWriter text = new StringWriter();
            OneBillionRows.print(rows.get(i), text);
            assertThat(text.toString())
                    .as(samples.get(i).toString())
                    .isEqualTo(expected(samples.get(i)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"measurements-10000-unique-keys", "measurements-complex-utf8"})
    void theProgramPrintsASampleByteForByte(String name) throws IOException {
        Path sample = SAMPLES.resolve(name + ".txt");
        Cli run = Cli.runBillion("--input", sample, "--backend", "cpu", "--parallelism", 2);
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(String.join("\n", run.out()) + "\n").isEqualTo(expected(sample));
        assertThat(run.err().get(0)).contains(" rows, ", " MB in ", "(backend cpu, parallelism 2)");
        assertThat(String.join("\n", run.err()))
                .contains("read ", "merge ", "CPU time of the process: ", "peak memory: ");
    }

    @Test
    void linesEndsExtremesAndSeveralFiles() throws IOException {
        Path in = Files.createDirectory(directory.resolve("in"));
        Files.writeString(in.resolve("1.txt"), "a;-99.9\r\nb;99.9\r\na;0.0\r\nc;-0.0");
        Files.writeString(
                in.resolve("2.txt"), "a;99.9\n\u00e9;-0.1\n\u00e9;0.0\nz;1.2\nz;1.3\nz;\nnone;\n");
        Path out = directory.resolve("result");
        Cli run =
                Cli.runBillion(
                        "--input", in, "--output", out, "--backend", "cpu", "--parallelism", 1);
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(run.out()).isEmpty();
        // Means are rounded half up: -0.05 to 0.0, 1.25 to 1.3.
        assertThat(Files.readString(out))
                .isEqualTo(
                        "{a=-99.9/0.0/99.9, b=99.9/99.9/99.9, c=0.0/0.0/0.0, z=1.2/1.3/1.3,"
                                + " \u00e9=-0.1/0.0/0.0}\n");
    }

    @Test
    void aMalformedLineIsToldWithItsPlace() throws IOException {
        Path in = Files.writeString(directory.resolve("in.txt"), "a;1.0\nb;2.00\n");
        Cli run = Cli.runBillion("--input", in, "--backend", "cpu", "--parallelism", 1);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith(
                        "one-billion-rows: the job failed: a line does not have the fields of its")
                .contains(
                        "in.txt, offsetBytes=6, line=(hidden: text of length 6), reason: field 'temperature'");
    }

    @Test
    void generatedMeasurementsAreThoseOfTheirLines() throws IOException {
        Path in = directory.resolve("generated.txt");
        Cli made = Cli.runMeasurements("--rows", 200_000, "--keys", 1_000, "--output", in);
        assertThat(made.code()).as("%s", made.err()).isZero();
        assertThat(made.out()).singleElement().asString().startsWith("200,000 rows, ");
        Cli run = Cli.runBillion("--input", in, "--backend", "cpu", "--parallelism", 3);
        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(run.out()).containsExactly(plain(in));
    }

    private static String plain(Path file) throws IOException {
        TreeMap<String, long[]> stations = new TreeMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(
                    line -> {
                        int separator = line.indexOf(';');
                        long tenths =
                                Long.parseLong(line.substring(separator + 1).replace(".", ""));
                        stations.merge(
                                line.substring(0, separator),
                                new long[] {tenths, tenths, tenths, 1},
                                (a, b) ->
                                        new long[] {
                                            Math.min(a[0], b[0]),
                                            a[1] + b[1],
                                            Math.max(a[2], b[2]),
                                            a[3] + b[3]
                                        });
                    });
        }
        assertThat(stations).hasSize(1_000);
        StringBuilder text = new StringBuilder("{");
        stations.forEach(
                (name, kept) ->
                        text.append(text.length() == 1 ? "" : ", ")
                                .append(name)
                                .append('=')
                                .append(tenths(kept[0]))
                                .append('/')
                                .append(tenths(Math.floorDiv(2 * kept[1] + kept[3], 2 * kept[3])))
                                .append('/')
                                .append(tenths(kept[2])));
        return text.append('}').toString();
    }

    private static String tenths(long number) {
        return BigDecimal.valueOf(number, 1).toString();
    }

    private static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .map(Path::toAbsolutePath)
                    .sorted()
                    .toList();
        }
    }

    private static String expected(Path sample) throws IOException {
        Path out = Path.of(sample.toString().replaceAll("txt$", "out"));
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
