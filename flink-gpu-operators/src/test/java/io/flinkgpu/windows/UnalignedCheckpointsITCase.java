package io.flinkgpu.windows;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A failure of a job whose windows are slow, so that records wait before every shuffle when a checkpoint
 * is taken. After it the source's watermarks start again, and a third of its records are late.
 *
 * <p>Covers: WindowSnapshots.
 */
@Timeout(120)
class UnalignedCheckpointsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long READINGS = 200_000;
    private static final AtomicBoolean FAILED = new AtomicBoolean();
    private static final OutputTag<Long> LATE = new OutputTag<>("late", Types.LONG);

    @ParameterizedTest
    @ValueSource(longs = {0, 20})
    void everyRecordIsInAWindowOrLate(long alignedTimeoutMillis) throws Exception {
        FAILED.set(false);
        Configuration config = Cluster.checkpointed("hashmap", true, false);
        config.set(
                CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT,
                Duration.ofMillis(alignedTimeoutMillis));
        config.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(20));
        StreamExecutionEnvironment env = Cluster.environment(config, 2);
        SingleOutputStreamOperator<Long> counts =
                GpuStreams.on(numbers(env))
                        .keyBy(number -> number % 2)
                        .window(TumblingEventTimeWindows.of(Duration.ofMillis(10)))
                        .sideOutputLateData(LATE)
                        .aggregate(
                                Aggregates.of((Long number) -> number).count(),
                                result -> slowly((Long) result.values().get(0)),
                                Types.LONG);
        DataStream<Long> late = counts.getSideOutput(LATE).map(number -> 1L);
        List<Long> all =
                counts.union(late)
                        .windowAll(GlobalWindows.createWithEndOfStreamTrigger())
                        .reduce(Long::sum)
                        .executeAndCollect(10);
        assertThat(FAILED).isTrue();
        assertThat(all).containsExactly(READINGS);
    }

    private static DataStream<Long> numbers(StreamExecutionEnvironment env) {
        GeneratorFunction<Long, Long> generator = index -> index;
        return env.fromSource(
                        new DataGeneratorSource<>(
                                generator, READINGS, RateLimiterStrategy.noOp(), Types.LONG),
                        WatermarkStrategy.<Long>forMonotonousTimestamps()
                                .withTimestampAssigner(
                                        (number, before) ->
                                                number % 3 == 0 ? number - 500 : number),
                        "numbers")
                .setParallelism(1)
                .map(new FailsOnce())
                .setParallelism(1);
    }

    private static Long slowly(Long count) {
        if (!FAILED.get()) {
            LockSupport.parkNanos(100_000);
        }
        return count;
    }

    /** Fails once, some records after a checkpoint completed. */
    private static final class FailsOnce implements MapFunction<Long, Long>, CheckpointListener {

        private static final long serialVersionUID = 1L;

        private int checkpoints;
        private int left = 100;

        @Override
        public Long map(Long number) {
            if (checkpoints >= 2 && left-- == 0 && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("fails once");
            }
            if (number > READINGS / 2 && !FAILED.get()) {
                // A slow machine's checkpoints must complete before the records end.
                LockSupport.parkNanos(1_000_000);
            }
            return number;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpoints++;
        }
    }
}
