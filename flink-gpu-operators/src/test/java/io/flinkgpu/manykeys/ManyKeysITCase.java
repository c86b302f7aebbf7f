package io.flinkgpu.manykeys;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random windows of one key to hundreds of thousands, as frequent as each other or by Zipf's law, in little
 * memory, with checkpoints and a failure. {@code -Dkeys.runs=100 -Dkeys.rows=4000000 -Dkeys.most=1000000}
 * runs it for long; {@code -Dseed=} gives the first seed.
 *
 * <p>Covers: KeyedWindows.
 */
class ManyKeysITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = Long.getLong("seed", 20261123L);
    private static final int RUNS = Integer.getInteger("keys.runs", 5);
    private static final int ROWS = Integer.getInteger("keys.rows", 200_000);
    private static final int MOST_KEYS = Integer.getInteger("keys.most", 200_000);

    private static final int ROWS_A_MILLI = 1000;
    private static final int MOST_RESULTS = 10_000_000;

    private static final AtomicReference<Results> ACTUAL = new AtomicReference<>();

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + RUNS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyResultIsRight(long seed) throws Exception {
        Random random = new Random(seed);
        ManyKeys rows = rows(seed, random);
        boolean fails = random.nextInt(3) > 0;
        boolean local = random.nextInt(3) > 0;
        int parallelism = 1 + random.nextInt(4);
        int maxParallelism = new int[] {4, 128, 1000}[random.nextInt(3)];
        Configuration config = config(random);
        String run =
                "%s fails=%s local=%s parallelism=%d of %d %s"
                        .formatted(rows, fails, local, parallelism, maxParallelism, config);

        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        env.setMaxParallelism(maxParallelism);
        FailsAt.FAILED.set(!fails);
        ACTUAL.set(new Results(rows.keys()));
        GpuOptions options =
                GpuOptions.DEFAULT.withBackend(BackendChoice.CPU).withMemoryLimitBytes(16 << 20);
        ManyKeysJob.build(
                        env,
                        rows,
                        RateLimiterStrategy.noOp(),
                        new FailsAt(random.nextInt(ROWS)),
                        options,
                        local)
                .map(new Remembers())
                .sinkTo(new DiscardingSink<>());
        env.execute(run);

        assertThat(ACTUAL.get().differenceFrom(Results.expected(rows))).as(run).isEmpty();
        assertThat(FailsAt.FAILED).as(run).isTrue();
    }

    private static ManyKeys rows(long seed, Random random) {
        int keys = (int) Math.round(Math.pow(MOST_KEYS, random.nextDouble()));
        double skew = random.nextInt(3) == 0 ? 0 : 1.5 * random.nextDouble();
        // So that the results of all windows have room on the heap.
        int windows = 1 + random.nextInt(1 + Math.min(100, MOST_RESULTS / keys));
        long slide = 1 + ROWS / ROWS_A_MILLI / windows;
        long size = random.nextBoolean() ? slide : slide * (1 + random.nextInt(4));
        String prefix = random.nextBoolean() ? "k" : "a sensor in a long hall ";
        return new ManyKeys(
                seed, keys, skew, random.nextBoolean(), prefix, ROWS, ROWS_A_MILLI, size, slide);
    }

    private static Configuration config(Random random) {
        Configuration config = new Configuration();
        config.set(StateBackendOptions.STATE_BACKEND, random.nextBoolean() ? "rocksdb" : "hashmap");
        config.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, random.nextBoolean());
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, random.nextBoolean());
        config.set(PipelineOptions.OBJECT_REUSE, random.nextBoolean());
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(20));
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return config;
    }

    /** Puts results where the test finds them. */
    private static final class Remembers implements MapFunction<long[], long[]> {

        private static final long serialVersionUID = 1L;

        @Override
        public long[] map(long[] result) {
            ACTUAL.get().add(result[0], (int) result[1], result[2]);
            return result;
        }
    }
}
