package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole example on an embedded Flink; its numbers against decimal arithmetic over all readings. */
class SensorWindowsITCase {

    private static final int ROWS = 600_000;
    private static final int SENSORS = 7;

    @Test
    void tablesAreThoseOfTheReadings() {
        Cli run = run(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        List<String> expected = new ArrayList<>();
        expected.add("");
        expected.add("Tumbling windows of 10 s");
        expected.addAll(tables(10_000));
        expected.add("");
        expected.add("Windows of 10 s each 2 s");
        expected.addAll(tables(2_000));
        expected.add("");
        expected.add(
                "Too late, to the side output: 30 readings of the tumbling windows, 30 of the"
                        + " sliding ones");
        assertThat(run.out().subList(0, run.out().size() - 1)).isEqualTo(expected);
        assertThat(run.out().get(run.out().size() - 1))
                .matches(
                        "600,000 rows in [0-9.]+ s: [0-9,]+ rows/s \\(backend cpu, parallelism 1\\)");
    }

    @Test
    void tablesAreTheSameAtAnyParallelism() {
        List<String> one = run(1).out();
        List<String> three = run(3).out();
        assertThat(three.subList(0, three.size() - 1)).isEqualTo(one.subList(0, one.size() - 1));
    }

    @Test
    void readingsBehindTheAllowedLatenessAreTooLate() {
        Cli strict =
                Cli.runSensors(
                        "--rows", ROWS, "--backend", "cpu", "--parallelism", 1, "--lateness", "0s");
        assertThat(strict.code()).isZero();
        String line = strict.out().get(strict.out().size() - 2);
        assertThat(line).startsWith("Too late, to the side output: ");
        int tumbling = Integer.parseInt(line.replaceAll("\\D*(\\d+) readings.*", "$1"));
        // One in a thousand readings is 20 to 40 s behind: too late for windows of 10 s, but near
        // the start.
        assertThat(tumbling).isBetween(ROWS / 2_000, ROWS / 1_000 + 30);
    }

    private static Cli run(int parallelism) {
        return Cli.runSensors(
                "--rows",
                ROWS,
                "--sensors",
                SENSORS,
                "--backend",
                "cpu",
                "--parallelism",
                parallelism);
    }

    /** The printed windows of 10 s that start each {@code slideMillis}. */
    private static List<String> tables(long slideMillis) {
        TreeMap<Long, TreeMap<String, List<Reading>>> windows = new TreeMap<>();
        Readings readings = new Readings(ROWS, SENSORS);
        for (long number = 0; number < ROWS; number++) {
            Reading reading = readings.map(number);
            if (reading.timeMillis() < Readings.START_MILLIS) {
                continue;
            }
            long last = reading.timeMillis() - Math.floorMod(reading.timeMillis(), slideMillis);
            for (long start = last; start > reading.timeMillis() - 10_000; start -= slideMillis) {
                windows.computeIfAbsent(start, key -> new TreeMap<>())
                        .computeIfAbsent(reading.sensor(), key -> new ArrayList<>())
                        .add(reading);
            }
        }
        List<String> lines = new ArrayList<>();
        windows.entrySet().stream()
                .limit(3)
                .forEach(window -> lines.addAll(table(window.getKey(), window.getValue())));
        lines.add("  ... and " + (windows.size() - 3) + " more windows");
        return lines;
    }

    private static List<String> table(long start, TreeMap<String, List<Reading>> readings) {
        List<String> lines = new ArrayList<>();
        lines.add("  " + time(start) + " to " + time(start + 10_000));
        lines.add("    sensor       count     min      mean     max  humidity");
        readings.entrySet().stream()
                .limit(5)
                .forEach(sensor -> lines.add(row(sensor.getKey(), sensor.getValue())));
        lines.add("    ... and " + (SENSORS - 5) + " more sensors");
        return lines;
    }

    private static String time(long millis) {
        return String.format(
                Locale.ROOT,
                "%1$tF %1$tT.%1$tL",
                Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC));
    }

    private static String row(String sensor, List<Reading> readings) {
        List<BigDecimal> temperatures =
                readings.stream().map(reading -> new BigDecimal(reading.temperature())).toList();
        List<BigDecimal> humidities =
                readings.stream()
                        .filter(reading -> reading.humidity() != null)
                        .map(reading -> new BigDecimal(reading.humidity()))
                        .toList();
        return String.format(
                Locale.ROOT,
                "    %s %,9d %7.1f %9.3f %7.1f %9.3f",
                sensor,
                readings.size(),
                temperatures.stream().min(BigDecimal::compareTo).orElseThrow(),
                mean(temperatures),
                temperatures.stream().max(BigDecimal::compareTo).orElseThrow(),
                mean(humidities));
    }

    private static double mean(Collection<BigDecimal> values) {
        return values.stream()
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(new BigDecimal(values.size()), new MathContext(60, RoundingMode.HALF_EVEN))
                .doubleValue();
    }
}
