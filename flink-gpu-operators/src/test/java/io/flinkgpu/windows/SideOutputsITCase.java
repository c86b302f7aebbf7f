package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs on a cluster with late records, and records of which the time is not a number, against Flink's own
 * operator without those. Every reading has a watermark behind it, so that what is late is no accident.
 *
 * <p>Covers: WindowedGpuStream.
 */
@Timeout(120)
class SideOutputsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int READINGS = 1000;

    @ParameterizedTest
    @CsvSource({
        "TUMBLING, true",
        "TUMBLING, false",
        "SLIDING, true",
        "SLIDING_GAPS, true",
        "SESSION, true",
        "SESSION, false"
    })
    void theJobsOtherRecordsAreNotLost(Shape.Kind kind, boolean local) throws Exception {
        Plan<?> plan = plan(kind, local);
        Outcome expected = run(plan, Plan.Engine.JUDGE, readings(false));
        Outcome actual = run(plan, Plan.Engine.OURS, readings(true));

        assertThat(expected.late).hasSizeGreaterThan(10);
        assertThat(actual.rows).isEqualTo(expected.rows);
        assertThat(actual.late).isEqualTo(expected.late);
        assertThat(actual.dead)
                .hasSize(READINGS / 50)
                .allSatisfy(letter -> assertThat(letter.record().real).isNaN())
                .allSatisfy(
                        letter ->
                                assertThat(letter.reason())
                                        .contains(
                                                "timestamp=Long.MIN_VALUE",
                                                "key=" + letter.record().sensor));
    }

    private record Outcome(List<String> rows, List<String> late, List<DeadLetter<Reading>> dead) {}

    private static Outcome run(Plan<?> plan, Plan.Engine engine, List<Reading> readings)
            throws Exception {
        StreamExecutionEnvironment env = Cluster.environment(Cluster.config(), 2);
        DataStream<Reading> timed =
                env.fromData(readings, Types.POJO(Reading.class))
                        .setParallelism(1)
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.forGenerator(context -> new AfterEachReading())
                                        .withTimestampAssigner((reading, before) -> time(reading)))
                        .setParallelism(1);
        SingleOutputStreamOperator<?> results = plan.build(timed, engine);
        CloseableIterator<?> rows = results.collectAsync();
        CloseableIterator<Reading> late = results.getSideOutput(Plan.LATE).collectAsync();
        CloseableIterator<DeadLetter<Reading>> dead =
                results.getSideOutput(Plan.DEAD).collectAsync();
        env.execute();
        return new Outcome(
                list(rows).stream().map(plan::row).sorted().toList(),
                list(late).stream().map(Reading::toString).sorted().toList(),
                list(dead));
    }

    /**
     * Milliseconds. A NaN is cast to 0, a time like any other, so the assigner has to say that there is
     * none.
     */
    private static long time(Reading reading) {
        return Double.isNaN(reading.real) ? Long.MIN_VALUE : (long) reading.real;
    }

    private static List<Reading> readings(boolean badOnes) {
        Readings numbers = new Readings(new Random(7), false);
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < READINGS; i++) {
            Reading reading = numbers.of("s" + i % 3);
            // Pauses end sessions.
            int millis = i + i * 7 % 10 + i / 40 * 100 - (i % 11 == 0 ? 80 : 0);
            reading.real = i % 50 == 7 ? Double.NaN : millis;
            if (badOnes || !Double.isNaN(reading.real)) {
                readings.add(reading);
            }
        }
        return readings;
    }

    private static Plan<String> plan(Shape.Kind kind, boolean local) {
        return new Plan<>(
                KeyKind.STRING,
                Shape.random(kind, new Random(kind.ordinal() + 10)),
                Query.all(Column.BIG, Column.PRICE),
                20,
                true,
                local,
                new BatchPolicy(30, 1 << 20, Duration.ofMillis(10)),
                false,
                true);
    }

    /** Watermarks 5 ms behind the greatest time. */
    private static final class AfterEachReading implements WatermarkGenerator<Reading> {

        private long greatest = Long.MIN_VALUE + 6;

        @Override
        public void onEvent(Reading reading, long timestamp, WatermarkOutput output) {
            greatest = Math.max(greatest, timestamp);
            output.emitWatermark(new Watermark(greatest - 6));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
