package io.flinkgpu.windows;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What the jobs on a cluster in this process are made of. */
final class Cluster {

    /** How far timestamps are out of order; watermarks allow for it, so that no record is late. */
    static final int DISORDER_MILLIS = 40;

    /** As fast as can be. */
    static final int UNLIMITED = 1 << 30;

    private Cluster() {}

    /** No Kryo, and once a failure if there are checkpoints. */
    static Configuration config() {
        Configuration config = new Configuration();
        config.set(PipelineOptions.GENERIC_TYPES, false);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return config;
    }

    static Configuration checkpointed(String backend, boolean unaligned, boolean objectReuse) {
        Configuration config = config();
        config.set(StateBackendOptions.STATE_BACKEND, backend);
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        config.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        return config;
    }

    static StreamExecutionEnvironment environment(Configuration config, int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        env.setMaxParallelism(OperatorHarness.MAX_PARALLELISM);
        return env;
    }

    /** The same readings in each job, with timestamps out of order. */
    static SingleOutputStreamOperator<Reading> readings(
            StreamExecutionEnvironment env, int count, int perSecond) {
        GeneratorFunction<Long, Reading> generator = Cluster::reading;
        return env.fromSource(
                        new DataGeneratorSource<>(
                                generator,
                                count,
                                RateLimiterStrategy.perSecond(perSecond),
                                Types.POJO(Reading.class)),
                        WatermarkStrategy.<Reading>forBoundedOutOfOrderness(
                                        Duration.ofMillis(DISORDER_MILLIS))
                                .withTimestampAssigner((reading, before) -> timestamp(reading)),
                        "readings")
                .uid("readings");
    }

    private static Reading reading(long index) {
        Random random = new Random(index);
        // The first numbers of neighbouring seeds are alike.
        random.nextLong();
        Readings readings = new Readings(random, false);
        Reading reading = readings.of("s" + random.nextInt(KeyKind.SENSORS));
        reading.id = index;
        return reading;
    }

    private static long timestamp(Reading reading) {
        return reading.id + Long.hashCode(reading.id * 0x9e3779b97f4a7c15L) % DISORDER_MILLIS / 2;
    }

    static List<String> collect(Plan<?> plan, SingleOutputStreamOperator<?> results)
            throws Exception {
        List<String> rows = new ArrayList<>();
        CloseableIterator<?> iterator = results.executeAndCollect();
        iterator.forEachRemaining(result -> rows.add(plan.row(result)));
        iterator.close();
        Collections.sort(rows);
        return rows;
    }
}
