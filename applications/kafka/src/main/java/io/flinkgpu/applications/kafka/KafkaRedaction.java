package io.flinkgpu.applications.kafka;

import io.flinkgpu.applications.CommandLine;
import io.flinkgpu.applications.Environments;
import io.flinkgpu.applications.LocalBackend;
import io.flinkgpu.applications.Report;
import io.flinkgpu.applications.RuleChoice;
import io.flinkgpu.applications.UsageException;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongUnaryOperator;

/**
 * Redacts a Kafka topic into another: on an embedded Flink, or on a cluster when started by {@code flink
 * run}. Exit codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class KafkaRedaction {

    private static final String NAME = "kafka-redaction";
    private static final int PARTITIONS = 4;
    private static final int SHOWN_RECORDS = 5;
    private static final long MILLIS_BETWEEN = 10;

    private KafkaRedaction() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> redact(KafkaOptions.parse(args), out));
    }

    private static void redact(KafkaOptions options, PrintStream out) throws Exception {
        RuleChoice rules =
                RuleChoice.check(
                        options.rules(),
                        Set.of(),
                        List.of(),
                        options.hashKeyFile(),
                        options.backend());
        StreamExecutionEnvironment env = environment(options);
        if (env instanceof LocalStreamEnvironment) {
            Environments.checkWebUi(options.webUiPort());
        } else if (options.bootstrapServers().isEmpty()) {
            throw new UsageException(
                    "on a cluster give --bootstrap-servers: a broker that all its machines reach");
        }
        if (options.bootstrapServers().isPresent()) {
            redact(env, rules, options.bootstrapServers().get(), options, out);
        } else {
            out.println("Starting a Kafka broker ...");
            try (KafkaBroker broker = KafkaBroker.startTemporary()) {
                redact(env, rules, broker.bootstrapServers(), options, out);
            }
        }
    }

    private static void redact(
            StreamExecutionEnvironment env,
            RuleChoice rules,
            String bootstrapServers,
            KafkaOptions options,
            PrintStream out)
            throws Exception {
        Topics topics = options.topics();
        topics.create(bootstrapServers, PARTITIONS);
        out.println("Input:  " + topics.input() + " at " + bootstrapServers);
        out.println(
                "Output: "
                        + String.join(
                                ", ",
                                topics.redacted(),
                                topics.statistics(),
                                topics.deadLetters()));
        boolean duringJob = options.rate() > 0;
        if (!duringJob) {
            generate(bootstrapServers, options);
        }
        try (LocalBackend backend = LocalBackend.of(env, options.backend())) {
            new KafkaRedactionJob(
                            bootstrapServers,
                            topics,
                            rules.rules().ruleSet(),
                            rules.gpuOptions().withBackend(backend.choice()),
                            !options.follow() && !duringJob,
                            options.window(),
                            options.maxRecordBytes())
                    .addTo(env);
            JobClient job = env.executeAsync(NAME);
            if (options.follow() || duringJob) {
                out.println("The job follows the topic; end it with Ctrl-C, or cancel it.");
            }
            if (duringJob) {
                generating(bootstrapServers, options, job);
            }
            JobExecutionResult result = job.getJobExecutionResult().get();
            report(result, rules, backend.description(), env.getParallelism(), out);
            new TopicExcerpts(bootstrapServers, out).print(topics, SHOWN_RECORDS);
        }
    }

    private static void generate(String bootstrapServers, KafkaOptions options)
            throws ExecutionException, InterruptedException {
        // No later than now: brokers refuse the future, and delete what is long ago.
        long first = System.currentTimeMillis() - options.generate() * MILLIS_BETWEEN;
        LongUnaryOperator timestamps =
                options.rate() > 0
                        ? number -> System.currentTimeMillis()
                        : number -> first + number * MILLIS_BETWEEN;
        new GeneratedMessages(options.maxRecordBytes(), timestamps)
                .send(
                        bootstrapServers,
                        options.topics().input(),
                        0,
                        options.rate(),
                        number -> number < options.generate());
    }

    /** Generates beside the job, which is of no use without its input. */
    private static void generating(String bootstrapServers, KafkaOptions options, JobClient job) {
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                generate(bootstrapServers, options);
                            } catch (ExecutionException | InterruptedException e) {
                                throw new CompletionException(e);
                            }
                        })
                .whenComplete(
                        (done, failure) -> {
                            if (failure != null) {
                                job.cancel();
                            }
                        });
    }

    private static void report(
            JobExecutionResult result,
            RuleChoice rules,
            String backend,
            int parallelism,
            PrintStream out) {
        Report report = new Report(out);
        report.matches(rules.rules().ruleSet(), result);
        report.throughput(result, backend, parallelism);
    }

    private static StreamExecutionEnvironment environment(KafkaOptions options) {
        Configuration job = new Configuration();
        job.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpoints());
        job.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, Duration.ofMillis(100));
        if (options.metricsPort() > 0) {
            Configuration reporter = MetricOptions.forReporter(job, "prometheus");
            reporter.set(
                    MetricOptions.REPORTER_FACTORY_CLASS,
                    PrometheusReporterFactory.class.getName());
            reporter.setString("port", Integer.toString(options.metricsPort()));
        }
        return Environments.of(job, options.parallelism(), options.webUiPort());
    }
}
