package io.flinkgpu.examples;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** The Flink that runs an example: the cluster it was submitted to, or an embedded one. */
final class Environments {

    private static final String WEB_UI_ADDRESS = "localhost";

    private Environments() {}

    /** The environment that {@code flink run} gives, or an embedded Flink where there is none. */
    static StreamExecutionEnvironment of(Options options) {
        Configuration job = new Configuration();
        job.set(PipelineOptions.GENERIC_TYPES, false);
        job.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
        if (options.parallelism() > 0) {
            job.set(CoreOptions.DEFAULT_PARALLELISM, options.parallelism());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
        return env instanceof LocalStreamEnvironment ? embedded(job, options.webUiPort()) : env;
    }

    private static StreamExecutionEnvironment embedded(Configuration job, int webUiPort) {
        Configuration conf = new Configuration(job);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
        // Counters travel with heartbeats, and progress shows them.
        conf.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(250));
        // A fetcher that Flink 2.3 sometimes leaves waiting is not worth its default of 30 s.
        conf.set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 2_000L);
        conf.set(RestOptions.BIND_ADDRESS, WEB_UI_ADDRESS);
        conf.set(RestOptions.BIND_PORT, Integer.toString(webUiPort));
        conf.set(WebOptions.SUBMIT_ENABLE, false);
        return StreamExecutionEnvironment.createLocalEnvironment(conf);
    }

    /** Whether jobs run in this process, which may then end when they do. */
    static boolean isEmbedded() {
        return StreamExecutionEnvironment.getExecutionEnvironment()
                instanceof LocalStreamEnvironment;
    }

    /**
     * Checks that an embedded Flink can serve its web UI where that is asked for.
     *
     * @throws UsageException if the port cannot be had
     */
    static void checkWebUi(Options options) throws UsageException {
        if (options.webUiPort() == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            // As Flink binds it: a port in TIME_WAIT is free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(WEB_UI_ADDRESS, options.webUiPort()));
        } catch (IOException e) {
            throw new UsageException(
                    "--web-ui cannot use port "
                            + options.webUiPort()
                            + " ("
                            + Causes.oneLine(e)
                            + "): name another with --web-ui PORT");
        }
    }

    /** Whether this code runs inside a JobManager, where nothing may end the process. */
    static boolean insideJobManager() {
        return StreamExecutionEnvironment.getExecutionEnvironment()
                .getConfiguration()
                .getOptional(DeploymentOptions.TARGET)
                .filter("embedded"::equals)
                .isPresent();
    }
}
