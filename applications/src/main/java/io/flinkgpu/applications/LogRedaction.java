package io.flinkgpu.applications;

import io.flinkgpu.text.RuleWarnings;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Redacts secrets and personal data in log files: on an embedded Flink, or on a cluster when started
 * by {@code flink run}. Exit codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class LogRedaction {

    private static final String NAME = "log-redaction";
    private static final int PREVIEW_LINES = 8;
    private static final int STATS_ROWS = 8;
    private static final Duration CHECKPOINTS = Duration.ofSeconds(10);

    private LogRedaction() {}

    /** Where the example prints to, and whether {@code err} is a terminal. */
    private record Streams(PrintStream out, PrintStream err, boolean terminal) {}

    public static void main(String[] args) {
        boolean terminal = Boolean.getBoolean("flinkgpu.progress");
        Environments.exit(NAME, run(args, System.out, System.err, terminal));
    }

    /**
     * Runs the whole example.
     *
     * @param terminal whether {@code err} is a terminal, so that progress shows there
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err, boolean terminal) {
        return CommandLine.run(
                NAME, out, err, () -> redact(Options.parse(args), out, err, terminal));
    }

    private static void redact(Options options, PrintStream out, PrintStream err, boolean terminal)
            throws Exception {
        StreamExecutionEnvironment env = environment(options);
        boolean local = env instanceof LocalStreamEnvironment;
        RedactionJob job = RedactionJob.check(options);
        Places places = Places.check(options, local);
        if (local) {
            Environments.checkWebUi(options.webUiPort());
        }
        try (LocalBackend backend = LocalBackend.of(env, options.backend())) {
            Streams streams = new Streams(out, err, terminal);
            redact(env, backend, job.on(backend.choice()), places, options, streams);
        }
    }

    private static void redact(
            StreamExecutionEnvironment env,
            LocalBackend backend,
            RedactionJob job,
            Places checked,
            Options options,
            Streams streams)
            throws Exception {
        PrintStream out = streams.out();
        for (String warning : RuleWarnings.of(job.rules().ruleSet())) {
            streams.err().println(NAME + ": warning: " + Printable.of(warning));
        }
        Places places = checked.make(options.sampleMb());
        out.println("Input:  " + places.input().summary());
        out.println("Output: " + places.output());
        places.stats().ifPresent(folder -> out.println("Stats:  " + folder));
        job.addTo(
                env,
                places.input().files(),
                places.output(),
                options.startOfRecord(),
                places.stats(),
                options.report().isPresent());
        JobExecutionResult result;
        try {
            result =
                    execute(
                            env,
                            places.input().bytes(),
                            streams.terminal() ? Optional.of(streams.err()) : Optional.empty());
        } finally {
            places.release();
        }
        if (options.report().isPresent()) {
            job.report(result).write(options.report().get().toAbsolutePath());
            FindingReport.files(options.report().get())
                    .forEach(file -> out.println("Report: " + file));
        }
        Report report = new Report(out);
        boolean local = env instanceof LocalStreamEnvironment;
        if (local && options.preview()) {
            report.preview(job.preview(places.input().files(), PREVIEW_LINES));
        }
        report.matches(job.rules().ruleSet(), result);
        if (places.stats().isPresent()) {
            report.statsLines(result);
            if (local) {
                report.stats(StatsFiles.read(places.stats().get(), STATS_ROWS));
            }
        }
        report.throughput(result, backend.description(), env.getParallelism());
    }

    static StreamExecutionEnvironment environment(Options options) {
        Configuration job = new Configuration();
        job.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
        // Else Flink starts one with the job: if the input ends meanwhile, the job waits for the
        // next.
        job.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, CHECKPOINTS);
        return Environments.of(job, options.parallelism(), options.webUiPort());
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env, long bytes, Optional<PrintStream> progress)
            throws Exception {
        JobClient client = env.executeAsync(NAME);
        if (progress.isEmpty()) {
            return client.getJobExecutionResult().get();
        }
        try (Progress shown = new Progress(client, bytes, progress.get())) {
            return shown.awaitJob();
        }
    }
}
