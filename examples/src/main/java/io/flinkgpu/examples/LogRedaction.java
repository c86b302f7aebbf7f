package io.flinkgpu.examples;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.PrintStream;
import java.util.Optional;

/**
 * Redacts secrets and personal data in log files: on an embedded Flink, or on a cluster when started
 * by {@code flink run}. Exit codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class LogRedaction {

    private static final int PREVIEW_LINES = 8;

    private LogRedaction() {}

    public static void main(String[] args) {
        int code = run(args, System.out, System.err, Boolean.getBoolean("flinkgpu.progress"));
        if (code != 0 && Environments.insideJobManager()) {
            throw new IllegalStateException("log-redaction has failed, see standard error");
        } else if (code != 0 || Environments.isEmbedded()) {
            // Also at success: Flink 2.3 sometimes leaves a thread of the file source waiting.
            System.exit(code);
        }
    }

    /**
     * Runs the whole example.
     *
     * @param terminal whether {@code err} is a terminal, so that progress shows there
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err, boolean terminal) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                out.print(Options.USAGE);
            } else {
                redact(options, out, err, terminal);
            }
            return 0;
        } catch (UsageException e) {
            e.lines().forEach(line -> err.println("log-redaction: " + line));
            return 2;
        } catch (Exception e) {
            err.println("log-redaction: the job failed: " + Causes.oneLine(e));
            return 1;
        }
    }

    private static void redact(Options options, PrintStream out, PrintStream err, boolean terminal)
            throws Exception {
        StreamExecutionEnvironment env = Environments.of(options);
        boolean local = env instanceof LocalStreamEnvironment;
        RedactionJob job = RedactionJob.check(options);
        Places places = Places.check(options, local);
        if (local) {
            Environments.checkWebUi(options);
        }
        String backend = "as chosen by the TaskManagers";
        if (local) {
            backend = job.backendHere();
            job = job.on(backend);
        }
        for (String warning : job.rules().warnings()) {
            err.println("log-redaction: warning: " + Printable.of(warning));
        }
        places = places.make(options.sampleMb());
        out.println("Input:  " + places.input().summary());
        out.println("Output: " + places.output());
        job.addTo(env, places.input().files(), places.output());
        JobExecutionResult result;
        try {
            result =
                    execute(
                            env,
                            places.input().bytes(),
                            terminal ? Optional.of(err) : Optional.empty());
        } finally {
            places.release();
        }
        Report report = new Report(out);
        if (local && options.preview()) {
            report.preview(job.preview(places.input().files(), PREVIEW_LINES));
        }
        report.matches(job.rules().ruleSet(), result);
        report.throughput(result, backend, env.getParallelism());
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env, long bytes, Optional<PrintStream> progress)
            throws Exception {
        JobClient client = env.executeAsync("log-redaction");
        if (progress.isEmpty()) {
            return client.getJobExecutionResult().get();
        }
        try (Progress shown = new Progress(client, bytes, progress.get())) {
            return shown.awaitJob();
        }
    }
}
