package io.flinkgpu.manykeys;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;

import java.time.Duration;

/**
 * Minimum, mean, maximum and count by key of the windows of {@link ManyKeys}. All rows come from one subtask,
 * so that none is late.
 */
final class ManyKeysJob {

    private ManyKeysJob() {}

    /**
     * Adds the job to an environment.
     *
     * @param rate of the rows
     * @param before what the numbers of rows pass, in the source's chain
     * @return for each result the window's start, the key's number, and the result's hash
     */
    static DataStream<long[]> build(
            StreamExecutionEnvironment env,
            ManyKeys rows,
            RateLimiterStrategy<?> rate,
            MapFunction<Long, Long> before,
            GpuOptions options,
            boolean localAggregation) {
        GeneratorFunction<Long, Long> numbers = number -> number;
        DataStream<Tuple2<String, Double>> stream =
                env.fromSource(
                                new DataGeneratorSource<>(numbers, rows.rows(), rate, Types.LONG),
                                WatermarkStrategy.<Long>forMonotonousTimestamps()
                                        .withTimestampAssigner((row, then) -> rows.time(row)),
                                "rows")
                        .uid("rows")
                        .setParallelism(1)
                        .map(before)
                        .uid("before")
                        .setParallelism(1)
                        .map(row -> Tuple2.of(rows.name(rows.key(row)), rows.value(row)))
                        .returns(Types.TUPLE(Types.STRING, Types.DOUBLE))
                        .uid("named")
                        .setParallelism(1);
        return GpuStreams.on(stream.rebalance())
                .withOptions(options)
                .keyBy(row -> row.f0, Types.STRING)
                .window(
                        SlidingEventTimeWindows.of(
                                Duration.ofMillis(rows.sizeMillis()),
                                Duration.ofMillis(rows.slideMillis())))
                .localAggregation(localAggregation)
                .aggregate(
                        Aggregates.of((Tuple2<String, Double> row) -> row.f1)
                                .count()
                                .min()
                                .mean()
                                .max(),
                        result -> {
                            AggregateValues values = result.values();
                            long hash =
                                    ManyKeys.hash(
                                            values.getLong(0),
                                            values.getDouble(1),
                                            values.getDouble(2),
                                            values.getDouble(3));
                            return new long[] {result.startMillis(), rows.key(result.key()), hash};
                        },
                        PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)
                .uid("windows");
    }
}
