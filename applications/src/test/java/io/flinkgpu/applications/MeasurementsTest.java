package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Generated measurements, and the command lines of what makes and reads them.
 *
 * <p>Covers: Measurements, BlockFile.
 */
class MeasurementsTest {

    @TempDir Path directory;

    @Test
    void theSameSeedGivesTheSameFileWhateverTheThreads() throws IOException {
        Path one = directory.resolve("one");
        Path three = directory.resolve("three");
        Path other = directory.resolve("other");
        long bytes = new Measurements(50, 200_000, 7).write(one, 1);
        assertThat(bytes).isEqualTo(Files.size(one));
        assertThat(new Measurements(50, 200_000, 7).write(three, 3)).isEqualTo(bytes);
        assertThat(three).hasSameBinaryContentAs(one);
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
        new Measurements(50, 200_000, 8).write(other, 3);
        assertThat(Files.mismatch(one, other)).isNotEqualTo(-1);
        List<String> lines = Files.readAllLines(one);
        assertThat(lines).hasSize(200_000);
        Set<String> stations = new HashSet<>();
        for (String line : lines) {
            assertThat(line).matches("[^;]{6,100};-?[0-9]{1,2}\\.[0-9]");
            stations.add(line.substring(0, line.indexOf(';')));
        }
        assertThat(stations).hasSize(50);
        assertThat((double) bytes / lines.size()).isBetween(12.5, 15.0);
    }

    @Test
    void everyStationHasItsOwnName() {
        Stations stations = new Stations(3_000_000);
        Set<Long> hashes = new HashSet<>();
        byte[] name = new byte[100];
        for (int station = 0; station < stations.count(); station += 7) {
            int length = stations.copyName(station, name, 0);
            hashes.add(hash(new String(name, 0, length, StandardCharsets.UTF_8)));
        }
        assertThat(hashes).hasSize((stations.count() + 6) / 7);
    }

    private static long hash(String text) {
        long hash = 0;
        for (char c : text.toCharArray()) {
            hash = Stations.mix(hash ^ c);
        }
        return hash;
    }

    @Test
    void defaultsAndAllOptions() throws UsageException {
        MeasurementOptions made = MeasurementOptions.parse("--output", "m.txt");
        assertThat(made).isEqualTo(new MeasurementOptions(1_000_000, 413, Path.of("m.txt"), 1));
        assertThat(
                        MeasurementOptions.parse(
                                "--rows=1000000000",
                                "--keys",
                                "10000",
                                "--seed",
                                "9",
                                "--output",
                                "m"))
                .isEqualTo(new MeasurementOptions(1_000_000_000, 10_000, Path.of("m"), 9));
        assertThat(BillionOptions.parse("--input", "a", "--input", "b", "--output", "o").inputs())
                .containsExactly(Path.of("a"), Path.of("b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | option --output is needed: name a new file",
                "--output m --rows 0 | option --rows is a whole number from 1 to 100000000000, not '0'",
                "--output m --keys x | option --keys is a whole number from 1 to 20000000, not 'x'",
                "--output m more | unexpected argument 'more': see --help",
                "--outptu m | unknown option '--outptu'; did you mean '--output'?"
            })
    void mistakesOfGenerateMeasurements(String line, String error) {
        UsageException thrown =
                catchThrowableOfType(
                        UsageException.class,
                        () ->
                                MeasurementOptions.parse(
                                        line.isEmpty() ? new String[0] : line.split(" ")));
        assertThat(thrown.lines()).containsExactly(error);
    }

    @Test
    void mistakesOfOneBillionRows() throws IOException {
        Cli none = Cli.runBillion();
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err())
                .containsExactly(
                        "one-billion-rows: option --input is needed: name a file of measurements, or"
                                + " make one with examples/run generate-measurements");
        Path file = Files.writeString(directory.resolve("there.txt"), "a;1.0\n");
        assertThat(Cli.runBillion("--input", directory.resolve("gone.txt")).err())
                .singleElement()
                .asString()
                .endsWith("gone.txt' does not exist: name a file or a directory");
        assertThat(Cli.runBillion("--input", file, "--output", file).err())
                .singleElement()
                .asString()
                .endsWith("there.txt' exists: name a new file");
        Cli again = Cli.runMeasurements("--output", file);
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err())
                .containsExactly(
                        "generate-measurements: output '" + file + "' exists: name a new file");
    }

    @Test
    void whatIsThereIsNotTouched() throws IOException {
        Path part = Files.writeString(directory.resolve("m.txt.part"), "precious");
        Cli run = Cli.runMeasurements("--rows", "10", "--output", directory.resolve("m.txt"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .containsExactly(
                        "generate-measurements: output '"
                                + part
                                + "' exists: name a new file, or delete it if no other run writes it");
        assertThat(part).hasContent("precious");
        Path link =
                Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        Path input = Files.writeString(directory.resolve("in.txt"), "a;1.0\n");
        assertThat(Cli.runBillion("--input", input, "--output", link).err())
                .containsExactly("one-billion-rows: output '" + link + "' exists: name a new file");
        Cli linked = Cli.runMeasurements("--rows", "10", "--output", link);
        assertThat(linked.err())
                .containsExactly(
                        "generate-measurements: output '" + link + "' exists: name a new file");
        assertThat(directory.resolve("link.part")).doesNotExist();
    }
}
