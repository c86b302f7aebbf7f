package io.flinkgpu.applications;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** The Flink that runs an example: the cluster it was submitted to, or an embedded one. */
public final class Environments {

    private static final String WEB_UI_ADDRESS = "localhost";

    private Environments() {}

    /**
     * The environment that {@code flink run} gives, or an embedded Flink where there is none.
     *
     * @param job the job's own settings
     * @param parallelism 0 for the environment's own
     * @param webUiPort of an embedded Flink; 0 for no web UI
     */
    public static StreamExecutionEnvironment of(Configuration job, int parallelism, int webUiPort) {
        Configuration conf = new Configuration(job);
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        if (parallelism > 0) {
            conf.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(conf);
        return env instanceof LocalStreamEnvironment ? embedded(conf, webUiPort) : env;
    }

    private static StreamExecutionEnvironment embedded(Configuration job, int webUiPort) {
        Configuration conf = new Configuration(job);
        if (!job.contains(RestartStrategyOptions.RESTART_STRATEGY)) {
            conf.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            conf.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
            conf.set(
                    RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                    Duration.ofSeconds(1));
        }
        // Each job would wait 50 ms for requests of other slots to come together.
        conf.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ZERO);
        // Counters travel with heartbeats, and progress shows them.
        conf.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(250));
        conf.set(RestOptions.BIND_ADDRESS, WEB_UI_ADDRESS);
        conf.set(RestOptions.BIND_PORT, Integer.toString(webUiPort));
        conf.set(WebOptions.SUBMIT_ENABLE, false);
        return StreamExecutionEnvironment.createLocalEnvironment(conf);
    }

    /** Ends an example with its exit code, in a way that suits the process it runs in. */
    public static void exit(String example, int code) {
        if (code != 0 && insideJobManager()) {
            throw new IllegalStateException(example + " has failed, see standard error");
        } else if (code != 0 || isEmbedded()) {
            // Also at success: no thread that Flink may have left keeps the process.
            System.exit(code);
        }
    }

    /** Whether jobs run in this process, which may then end when they do. */
    private static boolean isEmbedded() {
        return StreamExecutionEnvironment.getExecutionEnvironment()
                instanceof LocalStreamEnvironment;
    }

    /**
     * Checks that an embedded Flink can serve its web UI where that is asked for.
     *
     * @param webUiPort 0 for no web UI
     * @throws UsageException if the port cannot be had
     */
    public static void checkWebUi(int webUiPort) throws UsageException {
        if (webUiPort == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            // As Flink binds it: a port in TIME_WAIT is free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(WEB_UI_ADDRESS, webUiPort));
        } catch (IOException e) {
            throw new UsageException(
                    "--web-ui cannot use port "
                            + webUiPort
                            + " ("
                            + Causes.oneLine(e)
                            + "): name another with --web-ui PORT");
        }
    }

    /** Whether this code runs inside a JobManager, where nothing may end the process. */
    private static boolean insideJobManager() {
        return StreamExecutionEnvironment.getExecutionEnvironment()
                .getConfiguration()
                .getOptional(DeploymentOptions.TARGET)
                .filter("embedded"::equals)
                .isPresent();
    }
}
