package io.flinkgpu.applications.kafka;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.JobMessageParameters;
import org.apache.flink.runtime.rest.messages.JobVertexDetailsHeaders;
import org.apache.flink.runtime.rest.messages.JobVertexMessageParameters;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointingStatisticsHeaders;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The Kafka job on a cluster of processes, and how it is moved. Not thread-safe. */
final class RunningJob implements AutoCloseable {

    private static final long LIMIT_SECONDS = 180;
    private static final int MAX_PARALLELISM = 128;

    private final KafkaRedactionJob kafkaJob;
    private final RestClusterClient<StandaloneClusterId> client;
    private JobID job;

    RunningJob(FlinkCluster cluster, String bootstrapServers, Topics topics, int maxRecordBytes)
            throws Exception {
        kafkaJob =
                new KafkaRedactionJob(
                        bootstrapServers,
                        topics,
                        DefaultRules.get(),
                        GpuOptions.DEFAULT.withBackend(BackendChoice.CPU),
                        false,
                        Duration.ofSeconds(10),
                        maxRecordBytes);
        Configuration conf = new Configuration();
        conf.set(RestOptions.ADDRESS, "127.0.0.1");
        conf.set(RestOptions.PORT, cluster.restPort());
        // The JobManager may be starting, or away.
        conf.set(RestOptions.RETRY_MAX_ATTEMPTS, 120);
        conf.set(RestOptions.RETRY_DELAY, Duration.ofMillis(500));
        client = new RestClusterClient<>(conf, StandaloneClusterId.getInstance());
    }

    /**
     * Submits the job.
     *
     * @param savepoint null for none
     */
    void submit(int parallelism, String savepoint) throws Exception {
        Configuration conf = new Configuration();
        conf.set(PipelineOptions.NAME, "kafka-redaction");
        conf.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        conf.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
        conf.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        conf.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
        conf.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1000);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10_000);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(500));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);
        env.setParallelism(parallelism);
        kafkaJob.addTo(env);
        StreamGraph graph = PipelineExecutorUtils.getStreamGraph(env.getStreamGraph(), conf);
        if (savepoint != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
        }
        graph.serializeUserDefinedInstances();
        job = client.submitJob(graph).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Ends the job with a savepoint; returns where it is.
     *
     * @param drain whether time ends as well, so that all windows fire
     */
    String stop(Path folder, boolean drain) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            try {
                return client.stopWithSavepoint(
                                job, drain, folder.toUri().toString(), SavepointFormatType.NATIVE)
                        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // A savepoint of a job that is starting is refused.
                if (System.nanoTime() > deadline || status() != JobStatus.RUNNING) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(500);
            }
        }
    }

    /** Names of the TaskManagers that run it, sorted; waits until there are some. */
    List<String> taskManagers() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            SortedSet<String> names = new TreeSet<>();
            for (JobDetailsInfo.JobVertexDetailsInfo vertex :
                    client.getJobDetails(job).get().getJobVertexInfos()) {
                JobVertexMessageParameters parameters = new JobVertexMessageParameters();
                parameters.jobPathParameter.resolve(job);
                parameters.jobVertexIdPathParameter.resolve(vertex.getJobVertexID());
                client
                        .sendRequest(
                                JobVertexDetailsHeaders.getInstance(),
                                parameters,
                                EmptyRequestBody.getInstance())
                        .get()
                        .getSubtasks()
                        .stream()
                        .filter(subtask -> subtask.getStatus() == ExecutionState.RUNNING)
                        .forEach(subtask -> names.add(subtask.getTaskmanagerId()));
            }
            if (!names.isEmpty()) {
                return List.copyOf(names);
            } else if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no TaskManager runs the job");
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    /** How many checkpoints have failed since the JobManager started. */
    long failedCheckpoints() throws Exception {
        JobMessageParameters parameters = new JobMessageParameters();
        parameters.jobPathParameter.resolve(job);
        return client.sendRequest(
                        CheckpointingStatisticsHeaders.getInstance(),
                        parameters,
                        EmptyRequestBody.getInstance())
                .get()
                .getCounts()
                .getNumberFailedCheckpoints();
    }

    private JobStatus status() throws Exception {
        return client.getJobStatus(job).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        client.close();
    }
}
