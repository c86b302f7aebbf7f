package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.ExceptionUtils;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.file.StandardOpenOption.CREATE_NEW;

/**
 * "The One Billion Row Challenge": minimum, mean and maximum of each station in files of measurements.
 * Lines are parsed and aggregated straight from the files' bytes; none of them becomes an object. Exit
 * codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class OneBillionRows {

    private static final String NAME = "one-billion-rows";
    private static final String HEAP =
            "the heap is too small for so many stations; set a larger one, for example"
                    + " JAVA_OPTS=-Xmx16g";

    /** A range is asked for and given without a look at the file, so a reader may have many. */
    private static final long SPLIT_BYTES = 256L << 20;

    private static final long FIRST_RESULTS_MILLIS = 2000;
    private static final Delimited FORMAT =
            Delimited.of(';').string("station").decimal("temperature", 1);

    private OneBillionRows() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(
                NAME,
                out,
                err,
                OneBillionRows::reason,
                () -> aggregate(BillionOptions.parse(args), out, err));
    }

    private static String reason(Throwable error) {
        boolean isHeap = ExceptionUtils.findThrowable(error, OutOfMemoryError.class).isPresent();
        return "the job failed: " + (isHeap ? HEAP : Causes.oneLine(error));
    }

    private static void aggregate(BillionOptions options, PrintStream out, PrintStream err)
            throws Exception {
        InputFiles input = InputFiles.list(options.inputs());
        Optional<Path> output = options.output().map(path -> path.toAbsolutePath().normalize());
        if (output.isPresent()) {
            NewFiles.check(output.get());
        }
        // No checkpoints, as a collected result would wait for the next one. So no restarts: they
        // would begin anew, and hide from the collector why.
        Configuration conf = new Configuration();
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        List<StationRow> rows = List.of();
        try (Session session = Session.open(conf, options.parallelism());
                LocalBackend backend = LocalBackend.of(session.first(), options.backend())) {
            for (int run = 0; run < options.runs(); run++) {
                Timing timing = Timing.start();
                List<StationRow> before = rows;
                rows = new ArrayList<>();
                JobExecutionResult result =
                        execute(session.newJob(), input.files(), backend.choice(), rows);
                timing.stop();
                rows.sort(Comparator.comparing(StationRow::station));
                if (run > 0 && !rows.equals(before)) {
                    throw new IllegalStateException("two runs had different results: run=" + run);
                }
                timing.print(result, backend.description(), session.first().getParallelism(), err);
            }
            session.print(err);
        }
        if (output.isPresent()) {
            // What another run has written meanwhile stays.
            try (Writer file = Files.newBufferedWriter(output.get(), CREATE_NEW)) {
                print(rows, file);
            }
        } else {
            print(rows, new PrintWriter(out, false, StandardCharsets.UTF_8));
        }
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env,
            List<Path> files,
            BackendChoice backend,
            List<StationRow> target)
            throws Exception {
        CloseableIterator<StationRow> collected =
                stations(ranges(env, files), backend).collectAsync();
        try {
            JobClient job = env.executeAsync(NAME);
            CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
            // Whoever asks for results too early asks again after 100 ms. But a sink that has more
            // than it can hold waits until it is asked.
            CompletableFuture.anyOf(result, delay(FIRST_RESULTS_MILLIS)).join();
            collected.forEachRemaining(target::add);
            return result.get();
        } finally {
            collected.close();
        }
    }

    private static CompletableFuture<Void> delay(long millis) {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
    }

    private static DataStream<LineRange> ranges(StreamExecutionEnvironment env, List<Path> files) {
        org.apache.flink.core.fs.Path[] paths =
                files.stream().map(FlinkPaths::of).toArray(org.apache.flink.core.fs.Path[]::new);
        return env.fromSource(
                LineFiles.of(paths).splitBytes(SPLIT_BYTES).ranges(),
                WatermarkStrategy.noWatermarks(),
                "measurements");
    }

    /** The results of all stations. */
    static DataStream<StationRow> stations(
            DataStream<? extends Lines> lines, BackendChoice backend) {
        return GpuStreams.lines(lines, FORMAT)
                .withOptions(GpuOptions.DEFAULT.withBackend(backend))
                .keyBy("station")
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(
                        Aggregates.ofField("temperature").min().max().sum().count(),
                        StationRow::of,
                        TypeInformation.of(StationRow.class));
    }

    /** Prints {@code {A=min/mean/max, B=...}} and a line's end; sorts by name. */
    static void print(List<StationRow> rows, Writer target) throws IOException {
        rows.sort(Comparator.comparing(StationRow::station));
        StringBuilder text = new StringBuilder("{");
        for (StationRow row : rows) {
            row.appendTo(text);
            target.append(text);
            text.setLength(0);
            text.append(", ");
        }
        target.append(rows.isEmpty() ? "{}\n" : "}\n").flush();
    }
}
