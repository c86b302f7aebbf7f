package io.flinkgpu.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a command line of {@link KeysBench} says.
 *
 * @param what cells by name, or numbers of keys; all if empty
 * @param engines that are run; all if empty
 * @param skew the exponent of Zipf's law that keys follow; 0: all are as frequent
 * @param rows of a cell at most, or lines of the file; 0 for as many as the table has
 * @param parallelism of jobs, and threads of DuckDB
 * @param gpuParallelism of jobs with the GPU on lines
 * @param repeats measured runs of each engine, after one that is not
 * @param curve numbers of keys in decades instead of the table
 * @param memory whether memory and checkpoints are measured, in a run more
 * @param managedMib managed memory of a slot in MiB, which RocksDB and SQL live in
 * @param keys that rows are spread over, and as many more or fewer rows in a millisecond; 0: the cell's
 * @param limitMib memory limit in MiB of {@code ours-limited}; 0: not run
 * @param folder for the files of lines
 * @param output folder for the report and the plot
 */
record KeysOptions(
        List<String> what,
        List<String> engines,
        double skew,
        long rows,
        int parallelism,
        int gpuParallelism,
        int repeats,
        boolean curve,
        boolean memory,
        int managedMib,
        long keys,
        int limitMib,
        Path folder,
        Path output) {

    private static final int GPU_SUBTASKS = 8;
    private static final int REPEATS = 3;
    private static final int MANAGED_MIB = 256;
    private static final int QUICK_ROWS = 20_000;

    /**
     * @param args after the command
     * @throws IllegalArgumentException with what is wrong
     */
    static KeysOptions parse(List<String> args) {
        int cores = Runtime.getRuntime().availableProcessors();
        List<String> what = new ArrayList<>();
        List<String> engines = List.of();
        double skew = 0;
        long rows = 0;
        int parallelism = cores;
        int gpuParallelism = Math.min(GPU_SUBTASKS, cores);
        int repeats = REPEATS;
        boolean curve = false;
        boolean memory = true;
        int managedMib = MANAGED_MIB;
        long keys = 0;
        int limitMib = 0;
        Path shared = Path.of("/dev/shm");
        Path folder =
                shared.toFile().isDirectory()
                        ? shared
                        : Path.of(System.getProperty("java.io.tmpdir"));
        Path output = Path.of("bench-report");
        boolean quick = false;
        for (int i = 0; i < args.size(); i++) {
            switch (args.get(i)) {
                case "--engines" -> engines = List.of(value(args, ++i).split(","));
                case "--skew" -> skew = number(args, ++i, Double::parseDouble);
                case "--rows", "--lines" -> rows = number(args, ++i);
                case "--parallelism" -> parallelism = Math.toIntExact(number(args, ++i));
                case "--gpu-parallelism" -> gpuParallelism = Math.toIntExact(number(args, ++i));
                case "--repeats" -> repeats = Math.toIntExact(number(args, ++i));
                case "--managed-mib" -> managedMib = Math.toIntExact(number(args, ++i));
                case "--keys" -> keys = number(args, ++i);
                case "--limit-mib" -> limitMib = Math.toIntExact(number(args, ++i));
                case "--quick" -> quick = true;
                case "--curve" -> curve = true;
                case "--no-memory" -> memory = false;
                case "--folder" -> folder = Path.of(value(args, ++i));
                case "--output" -> output = Path.of(value(args, ++i));
                default -> what.add(positional(args.get(i)));
            }
        }
        if (quick) {
            rows = QUICK_ROWS;
            repeats = 1;
        }
        return new KeysOptions(
                List.copyOf(what),
                engines,
                skew,
                rows,
                parallelism,
                gpuParallelism,
                repeats,
                curve,
                memory,
                managedMib,
                keys,
                limitMib,
                folder,
                output);
    }

    /** Whether an engine is to be run. */
    boolean wants(String engine) {
        return engines.isEmpty() || engines.contains(engine);
    }

    private static String positional(String argument) {
        if (argument.startsWith("--")) {
            throw new IllegalArgumentException(
                    "no such option: '" + argument + "'; --help has them all");
        }
        return argument;
    }

    private static long number(List<String> args, int i) {
        return number(args, i, Long::parseLong);
    }

    private static <N> N number(List<String> args, int i, Function<String, N> parse) {
        try {
            return parse.apply(value(args, i).replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "an option must have a number: option='"
                            + args.get(i - 1)
                            + "', value='"
                            + args.get(i)
                            + "'; write it in digits",
                    e);
        }
    }

    private static String value(List<String> args, int i) {
        if (i == args.size()) {
            throw new IllegalArgumentException(
                    "an option lacks its value: option='" + args.get(i - 1) + "'; add it");
        }
        return args.get(i);
    }
}
