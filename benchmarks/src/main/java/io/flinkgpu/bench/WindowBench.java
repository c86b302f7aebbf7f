package io.flinkgpu.bench;

import io.flinkgpu.bench.WindowJobs.Reading;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Windows by Flink's own operator against ours with the CPU backend, in one process: the same stream
 * of readings, parallelism 2, object reuse on, checkpoints every 5 s. Engines take turns; the first
 * turn of each is not counted. Before that, a shorter stream must give the same windows, counts and
 * minima, and means that differ only by the rounding of Flink's plain sum.
 *
 * <p>Arguments: {@code [turns] [scenario...]}; without, 3 turns of all scenarios.
 */
public final class WindowBench {

    private static final int PARALLELISM = 2;
    private static final int KEYS = 1_000;
    private static final WindowAssigner<Object, TimeWindow> TUMBLING =
            TumblingEventTimeWindows.of(Duration.ofSeconds(10));
    private static final WindowAssigner<Object, TimeWindow> SLIDING =
            SlidingEventTimeWindows.of(Duration.ofSeconds(60), Duration.ofSeconds(1));

    private WindowBench() {}

    /** Two sides of a ratio. */
    record Scenario(String name, Side base, Side ours, String target) {}

    /** One engine on one stream. */
    record Side(
            String name,
            boolean flink,
            String stateBackend,
            WindowAssigner<Object, TimeWindow> windows,
            long rows,
            int hotPercent) {}

    static final List<Scenario> SCENARIOS =
            List.of(
                    new Scenario(
                            "tumbling-heap",
                            new Side("flink", true, "hashmap", TUMBLING, 12_000_000, 0),
                            new Side("ours", false, "hashmap", TUMBLING, 48_000_000, 0),
                            ">= 3"),
                    new Scenario(
                            "sliding-60-heap",
                            new Side("flink", true, "hashmap", SLIDING, 1_000_000, 0),
                            new Side("ours", false, "hashmap", SLIDING, 24_000_000, 0),
                            ">= 20"),
                    new Scenario(
                            "tumbling-rocksdb",
                            new Side("flink", true, "rocksdb", TUMBLING, 2_000_000, 0),
                            new Side("ours", false, "rocksdb", TUMBLING, 48_000_000, 0),
                            ">= 10"),
                    new Scenario(
                            "hot-key",
                            new Side("uniform", false, "hashmap", TUMBLING, 48_000_000, 0),
                            new Side("90 % hot", false, "hashmap", TUMBLING, 48_000_000, 90),
                            ">= 0.8"),
                    new Scenario(
                            "hot-key-flink",
                            new Side("uniform", true, "hashmap", TUMBLING, 12_000_000, 0),
                            new Side("90 % hot", true, "hashmap", TUMBLING, 12_000_000, 90),
                            "none"));

    public static void main(String[] args) throws Exception {
        int turns = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        Set<String> chosen =
                new HashSet<>(List.of(args).subList(Math.min(1, args.length), args.length));
        checkSameResults();
        System.out.printf(
                "%-17s %-10s %9s %10s   %s%n",
                "scenario", "side", "M rows", "k rows/s", "(least - most)");
        for (Scenario scenario : SCENARIOS) {
            if (chosen.isEmpty() || chosen.contains(scenario.name)) {
                measure(scenario, turns);
            }
        }
        System.exit(0);
    }

    private static void measure(Scenario scenario, int turns) throws Exception {
        List<Double> base = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn <= turns; turn++) {
            double baseRate = rowsPerSecond(scenario.base);
            double ourRate = rowsPerSecond(scenario.ours);
            if (turn > 0) {
                base.add(baseRate);
                ours.add(ourRate);
                ratios.add(ourRate / baseRate);
            }
        }
        print(scenario, scenario.base, base);
        print(scenario, scenario.ours, ours);
        Collections.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "%-17s ratio %.2f (%.2f - %.2f), target %s%n",
                scenario.name,
                median(ratios),
                ratios.get(0),
                ratios.get(ratios.size() - 1),
                scenario.target);
    }

    private static void print(Scenario scenario, Side side, List<Double> rates) {
        Collections.sort(rates);
        System.out.printf(
                Locale.ROOT,
                "%-17s %-10s %9.1f %10.0f   (%.0f - %.0f)%n",
                scenario.name,
                side.name,
                side.rows / 1e6,
                median(rates) / 1e3,
                rates.get(0) / 1e3,
                rates.get(rates.size() - 1) / 1e3);
    }

    static double rowsPerSecond(Side side) throws Exception {
        StreamExecutionEnvironment environment = environment(side.stateBackend);
        results(environment, side).sinkTo(new DiscardingSink<>());
        JobExecutionResult result = environment.execute(side.name);
        return side.rows * 1000.0 / result.getNetRuntime();
    }

    private static DataStream<Tuple5<String, Long, Long, Double, Double>> results(
            StreamExecutionEnvironment environment, Side side) {
        DataStream<Reading> readings =
                WindowJobs.readings(environment, side.rows, KEYS, side.hotPercent);
        return side.flink
                ? WindowJobs.flink(readings, side.windows)
                : WindowJobs.ours(readings, side.windows, true);
    }

    private static StreamExecutionEnvironment environment(String stateBackend) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(StateBackendOptions.STATE_BACKEND, stateBackend);
        Path checkpoints = Files.createTempDirectory("window-bench");
        checkpoints.toFile().deleteOnExit();
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(5));
        return StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, configuration);
    }

    private static void checkSameResults() throws Exception {
        for (WindowAssigner<Object, TimeWindow> windows : List.of(TUMBLING, SLIDING)) {
            List<Tuple5<String, Long, Long, Double, Double>> flink =
                    collected(new Side("flink", true, "hashmap", windows, 300_000, 10));
            List<Tuple5<String, Long, Long, Double, Double>> ours =
                    collected(new Side("ours", false, "hashmap", windows, 300_000, 10));
            if (flink.size() != ours.size()) {
                throw new IllegalStateException(
                        "different numbers of windows: " + flink.size() + ", " + ours.size());
            }
            for (int i = 0; i < flink.size(); i++) {
                Tuple5<String, Long, Long, Double, Double> a = flink.get(i);
                Tuple5<String, Long, Long, Double, Double> b = ours.get(i);
                boolean same =
                        a.f0.equals(b.f0)
                                && a.f1.equals(b.f1)
                                && a.f2.equals(b.f2)
                                && a.f3.equals(b.f3)
                                && Math.abs(a.f4 - b.f4) <= 1e-9 * Math.abs(b.f4);
                if (!same) {
                    throw new IllegalStateException("different windows: " + a + ", " + b);
                }
            }
            System.out.println("same results: " + flink.size() + " windows, " + windows);
        }
    }

    private static List<Tuple5<String, Long, Long, Double, Double>> collected(Side side)
            throws Exception {
        StreamExecutionEnvironment environment = environment(side.stateBackend);
        List<Tuple5<String, Long, Long, Double, Double>> all =
                new ArrayList<>(results(environment, side).executeAndCollect(10_000_000));
        all.sort(
                (a, b) -> {
                    int order = a.f0.compareTo(b.f0);
                    return order != 0 ? order : Long.compare(a.f1, b.f1);
                });
        return all;
    }

    private static double median(List<Double> sorted) {
        return sorted.get(sorted.size() / 2);
    }
}
