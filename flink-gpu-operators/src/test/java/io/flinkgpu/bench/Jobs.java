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

/** A Flink cluster in this process, with a slot for each core, that all jobs run on. */
final class Jobs implements AutoCloseable {

    private static final double MILLIS_PER_SECOND = 1e3;

    private final MiniCluster cluster;

    Jobs() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(
                                        Runtime.getRuntime().availableProcessors())
                                .build());
        cluster.start();
    }

    /** With object reuse, and no checkpoints. */
    StreamExecutionEnvironment environment(int parallelism) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        return new TestStreamEnvironment(cluster, configuration, parallelism, List.of(), List.of());
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
