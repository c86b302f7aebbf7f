package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Aggregates;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

import java.time.Duration;

/** Minimum, mean and maximum of each sensor and minute, of readings that are out of order. */
public final class WindowSensors {

    public record Reading(String sensor, int second, double temperature) {}

    private WindowSensors() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Reading> readings =
                env.fromData(
                                new Reading("cellar", 1, 12.5),
                                new Reading("roof", 58, 31.0),
                                new Reading("roof", 55, 30.1),
                                new Reading("cellar", 61, 12.4),
                                new Reading("roof", 59, 30.8))
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Reading>forBoundedOutOfOrderness(
                                                Duration.ofSeconds(5))
                                        .withTimestampAssigner((r, none) -> r.second() * 1000L));
        GpuStreams.on(readings)
                .keyBy(Reading::sensor)
                .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
                .aggregate(Aggregates.of(Reading::temperature).named("t").min().mean().max())
                .map(
                        w ->
                                String.join(
                                        " ",
                                        w.startMillis() / 1000 + " s",
                                        w.key(),
                                        "" + w.values().getDouble("t_min"),
                                        "" + w.values().getDouble("t_mean"),
                                        "" + w.values().getDouble("t_max")))
                .print();
        env.execute("window sensors");
    }
}
