package io.flinkgpu.examples;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Redacts secrets and personal data in log files: on an embedded Flink, or on a cluster when started
 * by {@code flink run}. Exit codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class LogRedaction {

    private static final long SAMPLE_SEED = 20_260_302L;
    private static final int PREVIEW_LINES = 8;

    private LogRedaction() {}

    public static void main(String[] args) {
        int code = run(args, System.out, System.err, Boolean.getBoolean("flinkgpu.progress"));
        if (code != 0) {
            System.exit(code);
        }
    }

    /**
     * Runs the whole example.
     *
     * @param terminal whether {@code err} is a terminal that shows progress
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err, boolean terminal) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                out.print(Options.USAGE);
            } else {
                redact(options, out, terminal ? err : null);
            }
            return 0;
        } catch (UsageException e) {
            e.lines().forEach(line -> err.println("log-redaction: " + line));
            return 2;
        } catch (ExecutionException | IOException e) {
            err.println("log-redaction: the job failed: " + Causes.oneLine(e));
            return 1;
        } catch (Exception e) {
            err.println("log-redaction: cannot start the job: " + Causes.oneLine(e));
            return 1;
        }
    }

    private static void redact(Options options, PrintStream out, PrintStream progressOrNull)
            throws Exception {
        StreamExecutionEnvironment env = Environments.of(options);
        boolean local = env instanceof LocalStreamEnvironment;
        if (!local && (options.inputs().isEmpty() || options.output().isEmpty())) {
            throw new UsageException(
                    "on a cluster give --input and --output: folders that all its machines see");
        }
        RedactionJob job = RedactionJob.check(options);
        InputFiles input = InputFiles.list(options.inputs());
        Path output = options.output().orElse(null);
        if (options.inputs().isEmpty() || output == null) {
            Path work = Files.createTempDirectory("log-redaction-");
            output = output == null ? work.resolve("redacted") : output;
            if (options.inputs().isEmpty()) {
                Path sample = Files.createDirectory(work.resolve("sample"));
                SampleLogs.write(sample, options.sampleMb() * 1_000_000L, SAMPLE_SEED);
                input = InputFiles.list(List.of(sample));
                out.println("Sample: " + sample);
            }
        }
        output = output.toAbsolutePath().normalize();
        job.addTo(env, input.files(), output);
        out.println("Input:  " + input.summary());
        out.println("Output: " + output);
        out.flush();
        JobExecutionResult result = execute(env, input.bytes(), progressOrNull);
        Report report = new Report(out);
        if (local && options.preview()) {
            report.preview(job.preview(input.files(), PREVIEW_LINES));
        }
        report.matches(job.rules().ruleSet(), result);
        report.throughput(result, "?", env.getParallelism());
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env, long bytes, PrintStream progressOrNull)
            throws Exception {
        JobClient client = env.executeAsync("log-redaction");
        if (progressOrNull == null) {
            return client.getJobExecutionResult().get();
        }
        try (Progress progress = new Progress(client, bytes, progressOrNull)) {
            return client.getJobExecutionResult().get();
        }
    }
}
