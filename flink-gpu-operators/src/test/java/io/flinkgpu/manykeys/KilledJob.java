package io.flinkgpu.manykeys;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;

/** The job that {@link Killed} kills. */
final class KilledJob {

    private static final int ROWS_A_SECOND = 60_000;
    private static final int SECONDS_A_WINDOW = 2;

    private KilledJob() {}

    /**
     * Runs until the rows end.
     *
     * @param args backend, rows, seed, folder, and the checkpoint to begin from, if there is one
     */
    public static void main(String[] args) throws Exception {
        java.nio.file.Path folder = java.nio.file.Path.of(args[3]);
        ManyKeys rows = rows(Integer.parseInt(args[1]), Long.parseLong(args[2]));
        Configuration config =
                Backend.valueOf(args[0]).configuration(checkpoints(folder), Duration.ofMillis(300));
        config.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(20));
        if (args.length > 4) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, args[4]);
        }
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(2, config);
        env.setMaxParallelism(16);
        Encoder<long[]> lines =
                (result, stream) ->
                        stream.write(
                                (result[0] + " " + result[1] + " " + result[2] + "\n")
                                        .getBytes(StandardCharsets.US_ASCII));
        ManyKeysJob.build(
                        env,
                        rows,
                        RateLimiterStrategy.perSecond(ROWS_A_SECOND),
                        row -> row,
                        GpuOptions.DEFAULT
                                .withBackend(BackendChoice.CPU)
                                .withMemoryLimitBytes(16 << 20),
                        true)
                .sinkTo(
                        FileSink.forRowFormat(new Path(output(folder).toUri()), lines)
                                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                                .build())
                .uid("files");
        env.execute("killed");
        System.exit(0);
    }

    /** Windows that are open for some checkpoints. */
    static ManyKeys rows(int rows, long seed) {
        Random random = new Random(seed);
        int rowsAMilli = ROWS_A_SECOND / 1000;
        long sizeMillis = 1000L * SECONDS_A_WINDOW;
        return new ManyKeys(
                seed,
                20_000,
                random.nextBoolean() ? 0 : 1.2,
                false,
                "k",
                rows,
                rowsAMilli,
                sizeMillis,
                random.nextBoolean() ? sizeMillis : sizeMillis / 4);
    }

    static java.nio.file.Path checkpoints(java.nio.file.Path folder) {
        return folder.resolve("checkpoints");
    }

    static java.nio.file.Path output(java.nio.file.Path folder) {
        return folder.resolve("output");
    }
}
