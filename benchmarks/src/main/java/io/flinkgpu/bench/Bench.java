package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures the CPU backend, the GPU's kernels alone, the GPU from host to host and jobs through Flink
 * over their axes; writes {@value #JSON} after each figure, and plots at the end. What a GPU makes is
 * compared with the CPU backend before it is timed. Without a GPU the rest is measured. {@code --help}
 * has the options.
 */
public final class Bench {

    static final String JSON = "bench.json";

    private static final String HELP =
            """
            usage: bench [AXIS ...] [--input FOLDER] [--output FOLDER] [--quick]
                   bench plots JSON [FOLDER]

            Without an axis all are measured, in this order:
              batch      redaction by the bytes of a batch
              rules      redaction by the number of rules
              row        redaction by the bytes of a row
              aggregate  groups of numeric rows by keys and rows of a batch
              lines      groups of text lines by keys and bytes of a batch, and of 50 million lines
              held-lines groups of text lines that are held from batch to batch
              transform  a string expression by rows
              devices    one device and all: opening, redaction and lines from several threads
              files      a Flink job that redacts files, by parallelism
              records    what an operator costs a record in a Flink job
              latency    latency of records in a Flink job by load

              --input FOLDER   its *.log files are the lines; made-up lines without it
              --output FOLDER  for bench.json and the plots; default: bench-report
              --quick          tiny sizes, one run: shows that all works, its figures mean nothing
              plots            draws the plots of a bench.json again, beside it or in FOLDER

            bench.json is written after each figure: what a run that is cut off has is there.
            """;

    /** By name, in the order they are run. */
    static final Map<String, Axis> AXES = axes();

    private Bench() {}

    /** Measures some figures of one kind. */
    @FunctionalInterface
    interface Axis {
        void run(Lab lab) throws Exception;
    }

    private static Map<String, Axis> axes() {
        Map<String, Axis> axes = new LinkedHashMap<>();
        axes.put("batch", RedactionAxes::batchBytes);
        axes.put("rules", RedactionAxes::rules);
        axes.put("row", RedactionAxes::rowBytes);
        axes.put("aggregate", AggregationAxis::run);
        axes.put("lines", LinesAxis::run);
        axes.put("held-lines", HeldLinesAxis::run);
        axes.put("transform", TransformAxis::run);
        axes.put("devices", DevicesAxis::run);
        axes.put("files", FilesAxis::run);
        axes.put("records", RecordsAxis::run);
        axes.put("latency", LatencyAxis::run);
        return Collections.unmodifiableMap(axes);
    }

    /** Ends with 0 when all is measured, 1 when something failed, 2 for a mistake of the caller. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            if (List.of(args).contains("--help")) {
                out.print(HELP);
                return 0;
            }
            if (args.length > 0 && args[0].equals("plots")) {
                Path json = json(args);
                Path folder =
                        args.length > 2 ? Path.of(args[2]) : json.toAbsolutePath().getParent();
                return draw(Report.read(json), json, folder, out, err);
            }
            Settings settings = Settings.parse(args, AXES.keySet());
            int failed = measure(settings, String.join(" ", args), out, err);
            Path json = settings.output().resolve(JSON);
            return Math.max(failed, draw(Report.read(json), json, settings.output(), out, err));
        } catch (IllegalArgumentException e) {
            err.println("bench: " + e.getMessage());
            return 2;
        } catch (Exception e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    private static Path json(String[] args) {
        if (args.length == 1 || !Files.isRegularFile(Path.of(args[1]))) {
            throw new IllegalArgumentException(
                    "plots are drawn from a file that bench wrote: file="
                            + (args.length == 1 ? "none" : args[1])
                            + "; name a "
                            + JSON);
        }
        return Path.of(args[1]);
    }

    /** Returns 1 if an axis failed; the others are measured all the same. */
    private static int measure(Settings settings, String args, PrintStream out, PrintStream err)
            throws Exception {
        Files.createDirectories(settings.output());
        int failed = 0;
        try (Lab lab = new Lab(settings, out)) {
            Report head = head("bench " + args, lab);
            lab.keepIn(figures -> head.with(figures).write(settings.output().resolve(JSON)));
            out.println(head.hardware());
            Set<String> axes = settings.axes().isEmpty() ? AXES.keySet() : settings.axes();
            for (String axis : axes) {
                long start = System.nanoTime();
                try {
                    AXES.get(axis).run(lab);
                } catch (Exception | AssertionError e) {
                    err.println("bench: an axis failed, the others go on: axis=" + axis);
                    e.printStackTrace(err);
                    failed = 1;
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                out.printf(Locale.ROOT, "axis %s took %.1f s%n", axis, seconds);
            }
        }
        return failed;
    }

    static Report head(String command, Lab lab) throws BackendException {
        return Report.begin(
                command,
                lab.settings().input().map(folder -> "files of " + folder).orElse("made-up lines"),
                Hardware.measure(lab.gpu()));
    }

    /** Figures are there whether or not they can be drawn. */
    private static int draw(
            Report report, Path json, Path folder, PrintStream out, PrintStream err) {
        try {
            Plots.write(report, folder);
            out.println(
                    "figures: "
                            + json
                            + ", plots: "
                            + folder
                            + (report.quick() ? "; quick, so they only show that all works" : ""));
            return 0;
        } catch (IOException | RuntimeException | LinkageError e) {
            err.println(
                    "bench: the figures are in "
                            + json
                            + ", but the plots cannot be drawn: "
                            + e
                            + "; draw them on another machine with: bench plots "
                            + json.getFileName());
            return 1;
        }
    }
}
