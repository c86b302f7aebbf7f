package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plain Flink jobs with our types, without Kryo.
 *
 * <p>Covers: ExactAggregate.
 */
@Timeout(120)
class ExactAggregateITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final Aggregates<Reading> AGGREGATES =
            Aggregates.of((Reading reading) -> reading.temperature)
                    .named("temperature")
                    .min()
                    .sum()
                    .and((Reading reading) -> reading.price, ColumnType.decimal(6, 2))
                    .named("price")
                    .mean()
                    .count();

    @Test
    void aggregatesInAPlainJob() throws Exception {
        ExactAggregate<Reading> exact = new ExactAggregate<>(AGGREGATES);
        DataStream<WindowResult<String>> results =
                readings(environment())
                        .keyBy(reading -> reading.sensor)
                        .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                        .aggregate(
                                exact,
                                exact.toResult(),
                                exact.accumulatorType(),
                                exact.resultType(Types.STRING))
                        .uid("window");
        assertThat(results.executeAndCollect(10))
                .map(ResultText::of)
                .containsExactlyInAnyOrder(
                        "a [0, 1000): temperature_min=-1.0E300, temperature_sum=0.1,"
                                + " price_mean=1.500000, price_count=2",
                        "a [1000, 2000): temperature_min=2.0, temperature_sum=2.0,"
                                + " price_mean=null, price_count=0",
                        "b [0, 1000): temperature_min=0.5, temperature_sum=0.5,"
                                + " price_mean=3.330000, price_count=1");
    }

    @Test
    void deadLettersNeedNoKryo() throws Exception {
        OutputTag<DeadLetter<Reading>> tag = new OutputTag<>("bad") {};
        SingleOutputStreamOperator<Reading> good = readings(environment()).process(new Cold(tag));
        List<DeadLetter<Reading>> bad = new ArrayList<>();
        good.getSideOutput(tag).rebalance().executeAndCollect().forEachRemaining(bad::add);
        assertThat(bad)
                .map(letter -> letter.record().sensor + ": " + letter.reason())
                .containsExactly("a: too cold");
    }

    private static StreamExecutionEnvironment environment() {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        return StreamExecutionEnvironment.getExecutionEnvironment(configuration).setParallelism(1);
    }

    private static DataStream<Reading> readings(StreamExecutionEnvironment environment) {
        return environment
                .fromData(
                        new Reading("a", 5, 1e300, new BigDecimal("1.0")),
                        new Reading("a", 1500, 2.0, null),
                        new Reading("b", 7, 0.5, new BigDecimal("3.33")),
                        new Reading("a", 6, 0.1, null),
                        new Reading("a", 7, -1e300, new BigDecimal("2")))
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Reading>forBoundedOutOfOrderness(Duration.ofMinutes(1))
                                .withTimestampAssigner((reading, before) -> reading.millis));
    }

    private static final class Cold extends ProcessFunction<Reading, Reading> {

        private static final long serialVersionUID = 1L;

        private final OutputTag<DeadLetter<Reading>> tag;

        Cold(OutputTag<DeadLetter<Reading>> tag) {
            this.tag = tag;
        }

        @Override
        public void processElement(Reading reading, Context context, Collector<Reading> out) {
            if (reading.temperature < 0) {
                context.output(tag, new DeadLetter<>(reading, "too cold"));
            }
        }
    }

    /** A POJO. */
    public static final class Reading {

        public String sensor;
        public long millis;
        public double temperature;
        public BigDecimal price;

        public Reading() {}

        Reading(String sensor, long millis, double temperature, BigDecimal price) {
            this.sensor = sensor;
            this.millis = millis;
            this.temperature = temperature;
            this.price = price;
        }
    }
}
