package io.flinkgpu.manykeys;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.TestStreamEnvironment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Jobs in this process whose source waits at a {@link Gate}, one at a time. */
final class Held implements AutoCloseable {

    private static final AtomicReference<Results> RESULTS = new AtomicReference<>();
    private static final long POLL_MILLIS = 5;

    private final ManyKeys rows;
    private final MiniCluster cluster;

    /**
     * @param rows whose results are collected, those of all jobs together
     * @param of what else the cluster is configured with
     */
    Held(ManyKeys rows, Configuration of) throws Exception {
        this.rows = rows;
        RESULTS.set(new Results(rows.keys()));
        Configuration config = new Configuration(of);
        config.set(RestOptions.BIND_PORT, "0");
        config.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(1024));
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(config)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(4)
                                .build());
        cluster.start();
    }

    /**
     * Starts a job with a closed gate.
     *
     * @param from a savepoint or checkpoint; null for none
     * @param memoryBytes {@link GpuOptions#memoryLimitBytes()}
     */
    JobClient start(Configuration of, int parallelism, String from, long memoryBytes)
            throws Exception {
        Configuration config = new Configuration(of);
        if (from != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, from);
        }
        Gate.close();
        StreamExecutionEnvironment env =
                new TestStreamEnvironment(cluster, config, parallelism, List.of(), List.of());
        env.setMaxParallelism(128);
        ManyKeysJob.build(
                        env,
                        rows,
                        new Gate<>(),
                        row -> row,
                        GpuOptions.DEFAULT
                                .withBackend(BackendChoice.CPU)
                                .withMemoryLimitBytes(memoryBytes),
                        true)
                .map(new Remembers())
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        JobClient job = env.executeAsync();
        while (!isRunning(job)) {
            Thread.sleep(POLL_MILLIS);
        }
        return job;
    }

    /** Throws what the job failed with, if it has. */
    void throwFailure(JobClient job) throws Exception {
        ErrorInfo failure = cluster.getExecutionGraph(job.getJobID()).get().getFailureInfo();
        if (failure != null) {
            throw new IllegalStateException(failure.getExceptionAsString());
        }
    }

    private boolean isRunning(JobClient job) throws Exception {
        throwFailure(job);
        AccessExecutionGraph graph = cluster.getExecutionGraph(job.getJobID()).get();
        // A graph that is being made has no vertices.
        return graph.getState() == JobStatus.RUNNING
                && StreamSupport.stream(graph.getAllExecutionVertices().spliterator(), false)
                        .allMatch(vertex -> vertex.getExecutionState() == ExecutionState.RUNNING);
    }

    MiniCluster cluster() {
        return cluster;
    }

    Results results() {
        return RESULTS.get();
    }

    /** Of all files below a folder. */
    static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Override
    public void close() {
        cluster.closeAsync().join();
    }

    private static final class Remembers implements MapFunction<long[], long[]> {

        private static final long serialVersionUID = 1L;

        @Override
        public long[] map(long[] result) {
            RESULTS.get().add(result[0], (int) result[1], result[2]);
            return result;
        }
    }
}
