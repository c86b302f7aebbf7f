package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups of the lines of a file, by our job and by DuckDB, in turns. */
final class KeysLines {

    static final String AXIS = "lines-by-keys";

    private static final long LINES = 100_000_000;
    private static final double COMPARED_LINES = 1e8;
    private static final List<Integer> TABLE = List.of(413, 100_000, 1_000_000, 10_000_000);

    private final KeysOptions options;
    private final KeysReport report;
    private final long lines;

    KeysLines(KeysOptions options, KeysReport report) {
        this.options = options;
        this.report = report;
        lines = options.rows() > 0 ? options.rows() : LINES;
    }

    /** Groups a file's lines; the result as {@link DuckDb#groups} has it. */
    @FunctionalInterface
    private interface Engine {
        long[] groups(Path file) throws Exception;
    }

    void run() throws Exception {
        int slots = Math.max(options.parallelism(), options.gpuParallelism());
        try (Jobs jobs = new Jobs(slots, new Configuration());
                DuckDb duckDb = duckDb()) {
            Map<String, Engine> engines = new LinkedHashMap<>();
            if (duckDb != null) {
                report.say("DuckDB " + duckDb.version());
                engines.put(Engines.DUCKDB, duckDb::groups);
            }
            if (options.wants(Engines.OURS_CPU)) {
                int parallelism = options.parallelism();
                engines.put(
                        Engines.OURS_CPU, file -> ours(jobs, file, BackendChoice.CPU, parallelism));
            }
            if (options.engines().contains(Engines.OURS_CUDA) || hasGpu()) {
                int parallelism = options.gpuParallelism();
                engines.put(
                        Engines.OURS_CUDA,
                        file -> ours(jobs, file, BackendChoice.CUDA, parallelism));
            }
            boolean cold = true;
            for (int keys : keys()) {
                Path file = Files.createTempFile(options.folder(), "keys-" + keys + "-", ".txt");
                try {
                    Cost making = Cost.of(() -> KeysFile.write(file, keys, lines));
                    report.say(
                            keys
                                    + " keys: "
                                    + Files.size(file)
                                    + " bytes, made in seconds: "
                                    + making.wallSeconds());
                    measure(engines, file, keys, cold);
                } finally {
                    Files.delete(file);
                }
                cold = false;
            }
        }
    }

    private DuckDb duckDb() throws Exception {
        if (!options.wants(Engines.DUCKDB)) {
            return null;
        }
        if (!DuckDb.isThere()) {
            report.say("DuckDB's driver is not on the class path, so it is left out");
            return null;
        }
        return DuckDb.open(options.parallelism());
    }

    private boolean hasGpu() {
        return options.wants(Engines.OURS_CUDA) && Files.exists(Path.of("/dev/nvidiactl"));
    }

    private List<Integer> keys() {
        if (options.curve()) {
            List<Integer> decades = new ArrayList<>();
            for (int keys = 100; keys <= KeysFile.MOST_KEYS; keys *= 10) {
                decades.add(keys);
            }
            return decades;
        }
        return options.what().isEmpty()
                ? TABLE
                : options.what().stream().map(KeysLines::number).toList();
    }

    private static int number(String keys) {
        try {
            return Integer.parseInt(keys.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "keys must be a number: '" + keys + "'; write it in digits", e);
        }
    }

    private void measure(Map<String, Engine> engines, Path file, int keys, boolean cold)
            throws Exception {
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        Results results = new Results(keys + " keys", report);
        for (int turn = 0; turn <= options.repeats(); turn++) {
            for (Map.Entry<String, Engine> engine : engines.entrySet()) {
                long[][] found = new long[1][];
                System.gc();
                Cost cost = Cost.of(() -> found[0] = engine.getValue().groups(file));
                if (turn == 0) {
                    results.compare(engine.getKey(), found[0]);
                    if (cold) {
                        add(keys, engine.getKey(), false, List.of(cost));
                    }
                } else {
                    costs.computeIfAbsent(engine.getKey(), name -> new ArrayList<>()).add(cost);
                }
            }
        }
        for (Map.Entry<String, List<Cost>> of : costs.entrySet()) {
            add(keys, of.getKey(), true, of.getValue());
        }
    }

    private void add(int keys, String engine, boolean warm, List<Cost> runs) throws IOException {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("keys", (long) keys);
        at.put("lines", lines);
        at.put(
                "parallelism",
                (long)
                        (engine.equals(Engines.OURS_CUDA)
                                ? options.gpuParallelism()
                                : options.parallelism()));
        at.put("warm", warm ? 1L : 0L);
        double scale = COMPARED_LINES / lines;
        report.add(
                Figure.of(
                        AXIS,
                        engine,
                        at,
                        "s/100 M lines",
                        runs.stream().mapToDouble(run -> run.wallSeconds() * scale).toArray()));
        report.add(
                Figure.of(
                        AXIS,
                        engine,
                        at,
                        "s CPU/100 M lines",
                        runs.stream().mapToDouble(run -> run.cpuSeconds() * scale).toArray()));
    }

    private static long[] ours(Jobs jobs, Path file, BackendChoice backend, int parallelism)
            throws Exception {
        StreamExecutionEnvironment environment = jobs.environment(parallelism);
        GpuStreams.lines(
                        environment.fromSource(
                                LineFiles.of(new org.apache.flink.core.fs.Path(file.toUri()))
                                        .ranges(),
                                WatermarkStrategy.noWatermarks(),
                                "ranges"),
                        Delimited.of(';').string("key").decimal("value", 1))
                .withOptions(GpuOptions.DEFAULT.withBackend(backend))
                .keyBy("key")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(
                        Aggregates.ofField("value").min().mean().max().count(),
                        result ->
                                new long[] {
                                    1,
                                    result.values().getLong(3),
                                    result.values().getDecimal(0).unscaledValue().longValue(),
                                    result.values().getDecimal(2).unscaledValue().longValue()
                                },
                        KeysJobs.RESULT)
                .sinkTo(new KeysTally());
        environment.execute("lines");
        return KeysTally.take();
    }
}
