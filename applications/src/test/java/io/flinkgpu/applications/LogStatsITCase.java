package io.flinkgpu.applications;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Statistics beside the redacted output, on an embedded Flink. */
class LogStatsITCase {

    private static final long SEED = 43;
    private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");

    @TempDir private Path folder;
    private Path rules;
    private Path output;
    private Path stats;

    @BeforeEach
    void prepare() throws IOException {
        rules = Files.writeString(folder.resolve("rules.tsv"), Expected.RULES_TSV);
        output = folder.resolve("out");
        stats = folder.resolve("statistics");
    }

    @Test
    void rowsAreThoseOfTheLinesAndTheOutputIsTheSame() throws IOException {
        TreeMap<String, LongSummaryStatistics> expected = new TreeMap<>();
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Random random = new Random(SEED);
        for (int i = 0; i < 4; i++) {
            Files.writeString(logs.resolve("app-" + i + ".log"), log(random, i, expected));
        }
        Cli with = redact(logs, output, "--stats", stats);
        assertThat(with.err()).isEmpty();
        assertThat(with.code()).isZero();
        Cli without = redact(logs, folder.resolve("plain"));
        assertThat(without.code()).isZero();
        assertThat(onlyPart(output)).hasSameBinaryContentAs(onlyPart(folder.resolve("plain")));

        List<String> rows = new ArrayList<>();
        expected.forEach((key, numbers) -> rows.add(row(key, numbers)));
        assertThat(rows).hasSizeGreaterThan(100);
        List<String> actual = lines(stats);
        Collections.sort(actual);
        Collections.sort(rows);
        assertThat(actual).as("seed %d", SEED).isEqualTo(rows);
        assertThat(with.out())
                .contains("Stats:  " + stats)
                .contains("  ... and " + (rows.size() - 8) + " more")
                .contains(
                        "Latencies per service and 10 s, in ms, of 6,000 lines; left out: 1,000"
                                + " without a time, 1,000 without a latency");
    }

    @Test
    void statisticsHoldNothingThatWasRedacted() throws IOException {
        Path log =
                Files.writeString(
                        folder.resolve("secret=fileowner.log"),
                        """
                        2026-03-02 08:00:00 INFO secret=component: took 5 ms
                        2026-03-02 08:00:01 service=secret=component latency=7ms
                        2026-03-02 08:00:02 secret=latency=9ms
                        2026-03-02 08:00:03 secret=abc latency=11ms
                        """);
        Cli run = redact(log, output, "--stats", stats);
        assertThat(run.code()).isZero();
        assertThat(lines(stats))
                .containsExactly(
                        "[SECRET]\t2026-03-02T08:00:00Z\t2026-03-02T08:00:10Z\t3\t5\t7.666667\t11");
        assertThat(run.out().subList(2, run.out().size()))
                .noneMatch(line -> line.contains("fileowner"));
    }

    @Test
    void sampleHasStatistics() throws IOException {
        Cli run =
                Cli.run("--sample-mb", 2, "--output", output, "--stats", stats, "--backend", "cpu");
        assertThat(run.code()).isZero();
        assertThat(lines(stats)).anyMatch(line -> line.startsWith("payments\t2026-03-02T08:00:"));
        assertThat(run.out()).anyMatch(line -> line.matches("  payments +2026-03-02T08:00:00Z .*"));
    }

    @Test
    void inputWithoutLatenciesGivesAnEmptyTable() throws IOException {
        Path log = Files.writeString(folder.resolve("a.log"), "nothing here\n\n");
        Cli run = redact(log, output, "--stats", stats);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(lines(stats)).isEmpty();
        assertThat(run.out())
                .contains(
                        "Latencies per service and 10 s, in ms, of 0 lines; left out: 2 without a"
                                + " time, 0 without a latency");
    }

    /** Lines of some services, and what their statistics must be, added to those of other logs. */
    private static String log(Random random, int file, TreeMap<String, LongSummaryStatistics> all) {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            Instant time = START.plusMillis(random.nextInt(600_000));
            int micros = random.nextInt(50_000_000);
            String service = "service" + random.nextInt(3);
            switch (i % 8) {
                case 0 -> log.append("secret=x no time, took ").append(micros).append(" us\n");
                case 1 -> log.append(time).append(" no latency, secret=y\n");
                case 2, 3, 4 -> {
                    log.append(time).append(" app-").append(file).append(" secret=z latency=");
                    log.append(micros).append("us\n");
                    add(all, "app-" + file, time, micros);
                }
                default -> {
                    log.append(time).append(" WARN ").append(service).append(": took ");
                    log.append(BigDecimal.valueOf(micros, 6)).append(" seconds secret=w\r\n");
                    add(all, service, time, micros);
                }
            }
        }
        return log.toString();
    }

    private static void add(
            TreeMap<String, LongSummaryStatistics> all, String service, Instant time, long micros) {
        long start = time.getEpochSecond() / 10 * 10;
        String key =
                service
                        + "\t"
                        + Instant.ofEpochSecond(start)
                        + "\t"
                        + Instant.ofEpochSecond(start + 10);
        all.computeIfAbsent(key, none -> new LongSummaryStatistics()).accept(micros);
    }

    private static String row(String key, LongSummaryStatistics micros) {
        return String.join(
                "\t",
                key,
                Long.toString(micros.getCount()),
                millis(micros.getMin(), 1),
                millis(micros.getSum(), micros.getCount()),
                millis(micros.getMax(), 1));
    }

    private static String millis(long micros, long divisor) {
        return new BigDecimal(micros)
                .divide(new BigDecimal(1_000 * divisor), 6, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private Cli redact(Path input, Path to, Object... more) {
        List<Object> args = new ArrayList<>(List.of("--input", input, "--output", to));
        args.addAll(List.of("--rules", rules, "--backend", "cpu", "--parallelism", 1));
        args.addAll(List.of(more));
        return Cli.run(args.toArray());
    }

    private static List<Path> parts(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static Path onlyPart(Path folder) throws IOException {
        assertThat(parts(folder)).hasSize(1);
        return parts(folder).get(0);
    }

    private static List<String> lines(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path part : parts(folder)) {
            lines.addAll(Files.readAllLines(part, StandardCharsets.UTF_8));
        }
        return lines;
    }
}
