package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The job on a real broker. */
@Timeout(300)
class KafkaRedactionITCase {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int HALF = 10_000;
    private static final int MAX_RECORD_BYTES = 5_000;
    private static final int METRICS_PORT = KafkaBroker.freePort();

    @TempDir private static Path folder;
    private static KafkaBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(Files.createDirectory(folder.resolve("kafka")));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    @SuppressWarnings("try") // MiniCluster's close may be interrupted.
    void aLostTaskManagerLosesAndRepeatsNothing() throws Exception {
        Topics topics = new Topics("in", "out", "statistics", "dead");
        topics.create(broker.bootstrapServers(), 3);
        GeneratedMessages messages =
                new GeneratedMessages(MAX_RECORD_BYTES, Ledger::timestampMillis);
        try (MiniCluster cluster = cluster();
                Outputs outputs = new Outputs(broker.bootstrapServers(), topics)) {
            cluster.start();
            JobID job = submit(cluster, topics);
            Ledger ledger = outputs.ledger();
            messages.send(broker.bootstrapServers(), topics.input(), 0, 0, n -> n < HALF);
            assertThat(outputs.await(() -> ledger.count() > 0, LIMIT)).isTrue();

            cluster.terminateTaskManager(0).get(60, TimeUnit.SECONDS);
            cluster.startTaskManager();
            messages.send(broker.bootstrapServers(), topics.input(), HALF, 0, n -> n < 2 * HALF);
            assertThat(outputs.await(() -> ledger.hasAll(2 * HALF), LIMIT)).isTrue();

            assertThat(Dashboard.metrics()).hasSizeGreaterThan(20);
            String page = metricsPage();
            // As the dashboard selects operators.
            assertThat(page).contains("operator_name=\"gpu_redact\"");
            Set<String> scraped = names(page);
            assertThat(scraped).containsAll(Dashboard.metrics());
            String documented = Files.readString(Path.of("../../docs/metrics.md"));
            assertThat(scraped)
                    .filteredOn(name -> name.contains("_gpu_"))
                    .allMatch(name -> documented.contains(lastPart(name) + "`"));

            // To the end of time, so that all windows fire.
            cluster.stopWithSavepoint(
                            job, folder.toUri().toString(), true, SavepointFormatType.CANONICAL)
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            outputs.readToEnd();
            assertThat(ledger.lost(2 * HALF)).isZero();
            assertThat(ledger.twice()).isZero();
            assertThat(ledger.unredacted()).isZero();
            assertThat(ledger.changed()).isZero();
            assertThat(ledger.deadLetters()).isEqualTo(Ledger.deadLetters(2 * HALF));
            assertThat(ledger.counted()).isEqualTo(Ledger.counted(2 * HALF));
        }
    }

    @Test
    void exampleEndsWithTheRecordsThatAreThere() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] options = {
            "--bootstrap-servers",
            broker.bootstrapServers(),
            "--generate",
            "6000",
            "--backend",
            "cpu",
            "--parallelism",
            "1",
            "--checkpoints",
            "500ms",
            "--max-record-bytes",
            "5000"
        };
        int code = KafkaRedaction.run(options, stream(out), stream(err));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "Input:  logs at " + broker.bootstrapServers(),
                        "logs-redacted: 5,994 records",
                        "logs-dead-letters: 6 records",
                        "INFO [auth] request 0 took 0 ms for [EMAIL]",
                        "\"bytes\":3,\"reason\":\"not UTF-8\"}")
                .doesNotContain("example.com", "hunter2", "4111 1111");
    }

    @Test
    void callersMistakesAreNamed() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] options = {"--input-topic", "a", "--redacted-topic", "a", "--bogus"};
        assertThat(KafkaRedaction.run(options, stream(new ByteArrayOutputStream()), stream(err)))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "kafka-redaction: unknown option '--bogus': see --help",
                        "kafka-redaction: two of the four topics have one name: give each its own");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** What Prometheus would get. */
    private static String metricsPage() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + METRICS_PORT + "/metrics"))
                        .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Names of the metrics on a page. */
    private static Set<String> names(String page) {
        return page.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toSet());
    }

    /** Of {@code .._gpu_rule_matches} and {@code .._gpu_batchRows_count} the name in the documentation. */
    private static String lastPart(String name) {
        String suffix = name.replaceFirst("_(count|sum)$", "");
        return suffix.substring(suffix.lastIndexOf('_') + 1);
    }

    private static MiniCluster cluster() {
        Configuration conf = new Configuration();
        conf.set(RestOptions.BIND_PORT, "0");
        Configuration reporter = MetricOptions.forReporter(conf, "prometheus");
        reporter.set(
                MetricOptions.REPORTER_FACTORY_CLASS, PrometheusReporterFactory.class.getName());
        reporter.setString("port", Integer.toString(METRICS_PORT));
        return new MiniCluster(
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(conf)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(2)
                        .build());
    }

    private static JobID submit(MiniCluster cluster, Topics topics) throws Exception {
        Configuration conf = new Configuration();
        conf.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        conf.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(300));
        conf.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
        conf.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);
        env.setParallelism(2);
        job(broker.bootstrapServers(), topics).addTo(env);
        JobID job =
                cluster.submitJob(PipelineExecutorUtils.getStreamGraph(env.getStreamGraph(), conf))
                        .get()
                        .getJobID();
        assertThat(cluster.getJobStatus(job).get()).isNotEqualTo(JobStatus.FAILED);
        return job;
    }

    private static KafkaRedactionJob job(String bootstrapServers, Topics topics) {
        return new KafkaRedactionJob(
                bootstrapServers,
                topics,
                DefaultRules.get(),
                GpuOptions.DEFAULT.withBackend(BackendChoice.CPU),
                false,
                Duration.ofSeconds(10),
                MAX_RECORD_BYTES);
    }
}
