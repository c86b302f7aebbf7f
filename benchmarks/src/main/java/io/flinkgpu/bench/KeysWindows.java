package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Windows over records: runs the cells' jobs in turns, and compares their results. */
final class KeysWindows implements AutoCloseable {

    static final String AXIS = "windows";

    private static final long NETWORK_MIB_A_SLOT = 32;
    private static final long NETWORK_MIB = 64;
    private static final double BYTES_A_MB = 1e6;
    private static final GpuOptions ON_CPU = GpuOptions.DEFAULT.withBackend(BackendChoice.CPU);

    private final KeysOptions options;
    private final KeysReport report;
    private final Jobs jobs;

    KeysWindows(KeysOptions options, KeysReport report) throws Exception {
        this.options = options;
        this.report = report;
        int slots = options.parallelism();
        Configuration configuration = new Configuration();
        configuration.set(
                TaskManagerOptions.MANAGED_MEMORY_SIZE,
                MemorySize.ofMebiBytes((long) options.managedMib() * slots));
        MemorySize network =
                MemorySize.ofMebiBytes(Math.max(NETWORK_MIB, NETWORK_MIB_A_SLOT * slots));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
        jobs = new Jobs(slots, configuration);
    }

    /** Adds an engine's job to an environment. */
    @FunctionalInterface
    private interface Engine {
        void build(StreamExecutionEnvironment environment, KeysCell cell, boolean held);
    }

    private Map<String, Engine> engines(KeysCell cell) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        engines.put(Engines.SOURCE, KeysJobs::source);
        engines.put(
                Engines.OURS,
                (environment, of, held) -> KeysJobs.ours(environment, of, held, ON_CPU, true));
        engines.put(
                Engines.OURS_PLAIN,
                (environment, of, held) -> KeysJobs.ours(environment, of, held, ON_CPU, false));
        if (options.limitMib() > 0) {
            GpuOptions limited = ON_CPU.withMemoryLimitBytes((long) options.limitMib() << 20);
            engines.put(
                    Engines.OURS_LIMITED,
                    (environment, of, held) -> KeysJobs.ours(environment, of, held, limited, true));
        }
        if (options.engines().contains(Engines.OURS_GPU)) {
            GpuOptions onGpu = ON_CPU.withBackend(BackendChoice.CUDA);
            engines.put(
                    Engines.OURS_GPU,
                    (environment, of, held) -> KeysJobs.ours(environment, of, held, onGpu, true));
        }
        engines.put(Engines.FLINK, KeysJobs::flink);
        if (hasSql() && KeysSqlJob.has(cell)) {
            engines.put(Engines.FLINK_SQL, KeysSqlJob::run);
        }
        engines.keySet().removeIf(engine -> !options.wants(engine));
        return engines;
    }

    private static boolean hasSql() {
        try {
            Class.forName("org.apache.flink.table.api.bridge.java.StreamTableEnvironment");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    void run() throws Exception {
        if (!hasSql()) {
            report.say("Flink SQL is not on the class path, so it is left out");
        }
        List<KeysCell> cells = options.curve() ? KeysCell.curve() : KeysCell.table();
        Predicate<KeysCell> wanted =
                cell ->
                        options.what().isEmpty()
                                || options.what().stream().anyMatch(cell.name()::contains);
        List<KeysCell> chosen = cells.stream().filter(wanted).toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    "no such cells: "
                            + options.what()
                            + "; there are "
                            + cells.stream().map(KeysCell::name).toList());
        }
        for (KeysCell cell : chosen) {
            KeysCell of = cell.withSkew(options.skew());
            of = options.keys() > 0 ? of.withKeys(options.keys()) : of;
            measure(options.rows() > 0 ? of.withRows(options.rows()) : of);
        }
    }

    private void measure(KeysCell cell) throws Exception {
        Map<String, Engine> engines = engines(cell);
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        Results results = new Results(cell.name(), report);
        for (int turn = 0; turn <= options.repeats(); turn++) {
            for (String name : List.copyOf(engines.keySet())) {
                try {
                    Cost cost = cost(cell, engines.get(name));
                    long[] found = KeysTally.take();
                    if (turn > 0) {
                        costs.computeIfAbsent(name, n -> new ArrayList<>()).add(cost);
                    } else if (!name.equals(Engines.SOURCE)
                            && cell.isRepeatable(options.parallelism())) {
                        results.compare(name, found);
                    }
                } catch (Exception | LinkageError e) {
                    drop(cell, engines, name, e);
                }
            }
        }
        for (Map.Entry<String, List<Cost>> of : costs.entrySet()) {
            String name = of.getKey();
            List<Cost> runs = of.getValue();
            add(cell, name, "us CPU/row", runs, cost -> cost.cpuSeconds() * 1e6 / cell.rows());
            add(cell, name, "s", runs, Cost::wallSeconds);
        }
        engines.remove(Engines.SOURCE);
        for (String name : options.memory() ? List.copyOf(engines.keySet()) : List.<String>of()) {
            try {
                held(cell, name, engines.get(name));
            } catch (Exception e) {
                drop(cell, engines, name, e);
            }
        }
    }

    /** The others go on. */
    private void drop(KeysCell cell, Map<String, Engine> engines, String name, Throwable cause) {
        engines.remove(name);
        KeysTally.take();
        report.say(cell.name() + ": an engine failed, the others go on: engine=" + name);
        report.failed(cause);
    }

    private void add(
            KeysCell cell,
            String engine,
            String unit,
            List<Cost> runs,
            ToDoubleFunction<Cost> value)
            throws IOException {
        add(cell, engine, unit, runs.stream().mapToDouble(value).toArray());
    }

    private void add(KeysCell cell, String engine, String unit, double... values)
            throws IOException {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("keys", cell.keys());
        at.put("rows", cell.rows());
        at.put("parallelism", (long) options.parallelism());
        if (options.limitMib() > 0) {
            at.put("MiB limit", (long) options.limitMib());
        }
        String axis = (options.curve() ? "curve " : AXIS + " ") + cell.name();
        report.add(Figure.of(axis, engine, at, unit, values));
    }

    private Cost cost(KeysCell cell, Engine engine) throws Exception {
        StreamExecutionEnvironment environment =
                jobs.environment(options.parallelism(), configuration(cell));
        engine.build(environment, cell, false);
        System.gc();
        return Cost.of(() -> environment.execute(cell.name()));
    }

    private static Configuration configuration(KeysCell cell) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(
                StateBackendOptions.STATE_BACKEND, cell.rocksDb() ? "rocksdb" : "hashmap");
        return configuration;
    }

    private void held(KeysCell cell, String name, Engine engine) throws Exception {
        // Flink sorts the input of such windows, and then takes no checkpoints.
        boolean sorts = cell.windows() == KeysCell.Windows.GLOBAL && name.equals(Engines.FLINK);
        HeldJob held =
                HeldJob.run(
                        jobs,
                        options.parallelism(),
                        configuration(cell),
                        !sorts,
                        environment -> engine.build(environment, cell, true));
        KeysTally.take();
        add(cell, name, "MB live heap", held.heap() / BYTES_A_MB);
        add(cell, name, "MB beside the heap", held.beside() / BYTES_A_MB);
        if (!sorts) {
            add(cell, name, "MB checkpoint", held.checkpoint() / BYTES_A_MB);
            add(cell, name, "s checkpoint", held.checkpointSeconds());
        }
    }

    @Override
    public void close() {
        jobs.close();
    }
}
