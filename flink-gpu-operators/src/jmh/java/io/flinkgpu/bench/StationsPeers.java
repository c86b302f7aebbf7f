package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.api.java.tuple.Tuple4;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Minimum, mean and maximum of each station in a file: our job, the straightforward Flink job on a small
 * file, and stand-alone programs, each a process of its own. Programs are compared with our job: the
 * same stations, minima and maxima.
 */
final class StationsPeers {

    private static final long ROWS = 100_000_000;
    private static final int PEER_ROWS = 5_000_000;
    private static final int RUNS = 3;

    /** {@code Abha=-23.0/18.0/59.2}, and what comes behind it. */
    private static final Pattern STATION =
            Pattern.compile("([^={]+)=(-?\\d+\\.\\d)/-?\\d+\\.\\d/(-?\\d+\\.\\d)(?:, |})");

    private final Lab lab;
    private final Optional<Path> measurements;
    private final Optional<Path> programs;

    StationsPeers(Lab lab, Optional<Path> measurements, Optional<Path> programs) {
        this.lab = lab;
        this.measurements = measurements;
        this.programs = programs;
    }

    void run() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        int peerRows = lab.settings().pick(PEER_ROWS, 100_000);
        Path small = BillionRowsBench.generated(peerRows).toPath();
        flink("plain-flink", BillionRowsBench::peer, small, cores);
        for (BackendChoice backend : lab.choices()) {
            flink(Engines.flink(backend), ours(backend), small, cores);
        }
        Path file =
                measurements.isPresent()
                        ? measurements.get().toAbsolutePath()
                        : BillionRowsBench.generated(lab.settings().quick() ? peerRows : ROWS)
                                .toPath();
        BackendChoice best = lab.choices().get(lab.choices().size() - 1);
        Map<String, String> expected = flink(Engines.flink(best), ours(best), file, cores);
        if (programs.isEmpty()) {
            System.out.println("left out: stand-alone programs; add --one-brc FOLDER of one-brc.sh");
        } else {
            for (String name : names(programs.get())) {
                program(name, file, expected);
            }
        }
        Files.delete(small);
        if (measurements.isEmpty()) {
            Files.delete(file);
        }
    }

    private static BillionRowsBench.Engine ours(BackendChoice backend) {
        return (environment, file) -> BillionRowsBench.ours(environment, file, backend, true);
    }

    /** Times a job from its execution to its result, in this process; returns the extremes. */
    private Map<String, String> flink(
            String engine, BillionRowsBench.Engine job, Path file, int cores) throws Exception {
        double[] seconds = new double[lab.settings().pick(RUNS, 1)];
        List<Tuple4<String, Long, Long, BigDecimal>> rows = List.of();
        for (int i = 0; i < seconds.length; i++) {
            long start = System.nanoTime();
            rows = BillionRowsBench.collected(job, file.toFile(), cores);
            seconds[i] = (System.nanoTime() - start) / 1e9;
        }
        add(engine, file, seconds);
        Map<String, String> extremes = new TreeMap<>();
        for (Tuple4<String, Long, Long, BigDecimal> row : rows) {
            extremes.put(row.f0, BigDecimal.valueOf(row.f1, 1) + " " + BigDecimal.valueOf(row.f2, 1));
        }
        return extremes;
    }

    private void add(String engine, Path file, double[] seconds) throws IOException {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("fileBytes", Files.size(file));
        lab.add(Figure.of("stations", engine, at, "s", seconds));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> classes = Files.list(folder.resolve("classes/dev/morling/onebrc"))) {
            return classes.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("CalculateAverage_") && !name.contains("$"))
                    .map(name -> name.replace(".class", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Runs a program where it finds the file under the name that the challenge gives it. */
    private void program(String name, Path file, Map<String, String> expected) throws Exception {
        Path folder = programs.orElseThrow().toAbsolutePath();
        Path work = Files.createTempDirectory("one-brc");
        Files.createSymbolicLink(work.resolve("measurements.txt"), file);
        ProcessBuilder command =
                new ProcessBuilder(
                                folder.resolve("jre/bin/java").toString(),
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                folder.resolve("classes").toString(),
                                "dev.morling.onebrc." + name)
                        .directory(work.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        double[] seconds = new double[lab.settings().pick(RUNS, 1)];
        for (int i = 0; i < seconds.length; i++) {
            long start = System.nanoTime();
            Process process = command.start();
            byte[] out = process.getInputStream().readAllBytes();
            int code = process.waitFor();
            seconds[i] = (System.nanoTime() - start) / 1e9;
            check(name, code, new String(out, StandardCharsets.UTF_8), expected);
        }
        add(name, file, seconds);
        Files.delete(work.resolve("measurements.txt"));
        Files.delete(work);
    }

    private static void check(String name, int code, String out, Map<String, String> expected) {
        Map<String, String> extremes = new TreeMap<>();
        Matcher station = STATION.matcher(out);
        while (station.find()) {
            extremes.put(station.group(1), station.group(2) + " " + station.group(3));
        }
        List<String> differing = new ArrayList<>(expected.keySet());
        differing.removeIf(key -> expected.get(key).equals(extremes.get(key)));
        if (code != 0 || !differing.isEmpty() || extremes.size() != expected.size()) {
            throw new IllegalStateException(
                    "a program's result is not ours: program="
                            + name
                            + ", exit code="
                            + code
                            + ", stations="
                            + extremes.size()
                            + " of "
                            + expected.size()
                            + ", differing="
                            + differing.stream().limit(3).toList());
        }
    }
}
