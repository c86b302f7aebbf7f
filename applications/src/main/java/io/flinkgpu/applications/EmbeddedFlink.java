package io.flinkgpu.applications;

import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A Flink in this process that starts before its jobs and runs one after another, as a session cluster
 * does. Flink's own local environment starts and stops one with each job.
 */
final class EmbeddedFlink implements AutoCloseable {

    private static final String NAME = "embedded-session";

    private final Configuration conf;
    private final MiniCluster cluster;

    private EmbeddedFlink(Configuration conf, MiniCluster cluster) {
        this.conf = conf;
        this.cluster = cluster;
    }

    /**
     * Starts it.
     *
     * @param slots the greatest parallelism of a job
     */
    static EmbeddedFlink start(Configuration job, int slots) throws Exception {
        Configuration conf = new Configuration(job);
        conf.set(DeploymentOptions.TARGET, NAME);
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(conf)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(slots)
                                .build());
        cluster.start();
        return new EmbeddedFlink(conf, cluster);
    }

    /** An environment whose jobs run here. */
    StreamExecutionEnvironment newJob() {
        return new StreamExecutionEnvironment(new Loader(new Submission(cluster)), conf, null);
    }

    @Override
    public void close() {
        cluster.closeAsync().join();
    }

    private record Submission(MiniCluster cluster) implements PipelineExecutor {

        @Override
        public CompletableFuture<JobClient> execute(
                Pipeline pipeline, Configuration conf, ClassLoader classLoader) throws Exception {
            return cluster.submitJob(PipelineExecutorUtils.getStreamGraph(pipeline, conf))
                    .thenApply(
                            job ->
                                    new MiniClusterJobClient(
                                            job.getJobID(),
                                            cluster,
                                            classLoader,
                                            JobFinalizationBehavior.NOTHING));
        }
    }

    private record Loader(PipelineExecutor executor)
            implements PipelineExecutorServiceLoader, PipelineExecutorFactory {

        @Override
        public PipelineExecutorFactory getExecutorFactory(Configuration conf) {
            return this;
        }

        @Override
        public Stream<String> getExecutorNames() {
            return Stream.of(NAME);
        }

        @Override
        public String getName() {
            return NAME;
        }

        @Override
        public boolean isCompatibleWith(Configuration conf) {
            return true;
        }

        @Override
        public PipelineExecutor getExecutor(Configuration conf) {
            return executor;
        }
    }
}
