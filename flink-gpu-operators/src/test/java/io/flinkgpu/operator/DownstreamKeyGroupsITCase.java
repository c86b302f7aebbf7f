package io.flinkgpu.operator;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Blocks reach the subtasks of their keys whatever the window operator's maximum parallelism is.
 *
 * <p>Covers: DownstreamKeyGroups.
 */
@Timeout(300)
class DownstreamKeyGroupsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int NUMBERS = 3000;
    private static final int KEYS = 500;

    @SuppressWarnings("try") // Closing results may be interrupted.
    @ParameterizedTest
    @ValueSource(ints = {3, 7, 128, 2000})
    void areThoseOfTheWindowOperator(int maxParallelism) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(3);
        env.setMaxParallelism(64);
        DataStream<Long> numbers =
                env.fromSequence(0, NUMBERS - 1)
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Long>forBoundedOutOfOrderness(
                                                Duration.ofSeconds(10))
                                        .withTimestampAssigner((number, before) -> number));
        SingleOutputStreamOperator<WindowResult<String>> sums =
                GpuStreams.on(numbers)
                        .withOptions(
                                GpuOptions.DEFAULT
                                        .withBackend(BackendChoice.CPU)
                                        .withBatchPolicy(
                                                new BatchPolicy(
                                                        400, 1 << 20, Duration.ofMillis(20))))
                        .keyBy(number -> "key " + number % KEYS, Types.STRING)
                        .window(TumblingEventTimeWindows.of(Duration.ofMillis(NUMBERS)))
                        .aggregate(Aggregates.of((Long number) -> number).sum())
                        .setMaxParallelism(maxParallelism);
        Map<String, Long> actual = new TreeMap<>();
        try (CloseableIterator<WindowResult<String>> results = sums.executeAndCollect()) {
            results.forEachRemaining(
                    result ->
                            assertThat(actual.put(result.key(), result.values().getLong(0)))
                                    .isNull());
        }
        Map<String, Long> expected = new TreeMap<>();
        for (long number = 0; number < NUMBERS; number++) {
            expected.merge("key " + number % KEYS, number, Long::sum);
        }
        assertThat(actual).isEqualTo(expected);
    }
}
