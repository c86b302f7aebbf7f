package io.flinkgpu.bench;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.TestStreamEnvironment;

import java.util.List;

/** A Flink cluster in this process, that all jobs run on; with a slot for each core, unless told otherwise. */
final class Jobs implements AutoCloseable {

    private static final double MILLIS_PER_SECOND = 1e3;

    private final MiniCluster cluster;

    Jobs() throws Exception {
        this(Runtime.getRuntime().availableProcessors(), new Configuration());
    }

    /**
     * @param of what the cluster is configured with
     */
    Jobs(int slots, Configuration of) throws Exception {
        Configuration configuration = new Configuration(of);
        configuration.set(RestOptions.BIND_PORT, "0");
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(slots)
                                .build());
        cluster.start();
    }

    /** With object reuse, and no checkpoints. */
    StreamExecutionEnvironment environment(int parallelism) {
        return environment(parallelism, new Configuration());
    }

    /**
     * With object reuse.
     *
     * @param of what else the job is configured with
     */
    StreamExecutionEnvironment environment(int parallelism, Configuration of) {
        Configuration configuration = new Configuration(of);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        return new TestStreamEnvironment(cluster, configuration, parallelism, List.of(), List.of());
    }

    MiniCluster cluster() {
        return cluster;
    }

    /** How long the job ran, as Flink has it. */
    static double seconds(JobExecutionResult result) {
        return Math.max(1, result.getNetRuntime()) / MILLIS_PER_SECOND;
    }

    /** Waits for the cluster's end. */
    @Override
    public void close() {
        cluster.closeAsync().join();
    }
}
