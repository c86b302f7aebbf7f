package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;

/**
 * What a row costs by the number of keys: windows over records by ours, by Flink's own operator and by
 * Flink SQL; groups of the lines of a file by ours and by DuckDB. All engines run in this process, in
 * turns, and must give the same results. {@code --help} has the options.
 */
public final class KeysBench {

    private static final String HELP =
            """
            usage: keys windows [CELL ...] [OPTIONS]
                   keys lines [KEYS ...] [OPTIONS]
                   keys plots JSON ... [--output FOLDER]

            windows: minimum, mean, maximum and count of one double by a Long key, records made in the
            job. CELLs are named as the figures are, for example tumbling-100000-heap; a part of a name
            names all that have it; without any all of the table are run.
              --engines LIST     of source,ours,ours-plain,ours-gpu,flink,flink-sql, with commas;
                                 all but ours-gpu without it. source: the rows alone;
                                 ours-plain: without local aggregation
              --rows N           at most N rows in a cell
              --keys N           N keys, each as frequent as in the cell
              --limit-mib N      adds ours-limited: ours with a memory limit of N MiB, at least 16
              --skew S           keys by Zipf's law with this exponent; default: 0, all as frequent
              --curve            one window by 100 to 10 million keys instead of the table
              --no-memory        leaves out the run that measures live heap and checkpoint
              --managed-mib N    managed memory of a slot, for RocksDB and SQL; default: 256

            lines: minimum, mean, maximum and count by key of a file of lines key;-12.3, for 413, 100000,
            1000000 and 10000000 keys, or those given.
              --engines LIST     of ours-cpu,ours-cuda,duckdb; all that are there without it
              --lines N          lines of the file; default: 100 million
              --curve            100 to 10 million keys in decades
              --folder FOLDER    for the files, one at a time; default: /dev/shm
              --gpu-parallelism N  default: 8, or the cores if they are fewer

            both:
              --parallelism N    of jobs, and threads of DuckDB; default: all cores
              --repeats N        measured runs of each engine after one that is not; default: 3
              --quick            tiny sizes: shows that all works, its figures mean nothing
              --output FOLDER    for keys-windows.json, keys-lines.json and keys.png;
                                 default: bench-report
            """;

    private KeysBench() {}

    /** Ends with 0 when all is measured, 1 when something failed, 2 for a mistake of the caller. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            if (args.isEmpty() || args.contains("--help")) {
                out.print(HELP);
                return args.isEmpty() ? 2 : 0;
            }
            KeysOptions options = KeysOptions.parse(args.subList(1, args.size()));
            Files.createDirectories(options.output());
            return switch (args.get(0)) {
                case "windows" -> {
                    KeysReport report = report(args, options, "keys-windows.json", out);
                    try (KeysWindows windows = new KeysWindows(options, report)) {
                        windows.run();
                    }
                    yield drawn(report, options);
                }
                case "lines" -> {
                    KeysReport report = report(args, options, "keys-lines.json", out);
                    new KeysLines(options, report).run();
                    yield drawn(report, options);
                }
                case "plots" -> {
                    KeysPlot.write(KeysReport.read(options.what()), options.output());
                    yield 0;
                }
                default ->
                        throw new IllegalArgumentException(
                                "no such command: '" + args.get(0) + "'; --help has them all");
            };
        } catch (IllegalArgumentException e) {
            err.println("keys: " + e.getMessage());
            return 2;
        } catch (Exception | LinkageError e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    private static int drawn(KeysReport report, KeysOptions options) throws IOException {
        KeysPlot.write(report.report(), options.output());
        return report.failures() > 0 ? 1 : 0;
    }

    private static KeysReport report(
            List<String> args, KeysOptions options, String json, PrintStream out)
            throws BackendException {
        Report head =
                Report.begin("keys " + String.join(" ", args), "made-up rows", Hardware.here());
        out.println(head.hardware());
        return new KeysReport(head, options.output().resolve(json), out);
    }
}
