package io.flinkgpu.windows;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.KeyedGpuStream;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.CellAggregate;
import io.flinkgpu.api.DeadLetter;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.ProcessingTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.ExceptionUtils;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records that cannot be aggregated, and windows that are Flink's own operator's.
 *
 * <p>Covers: KeyedGpuStream.
 */
class BadInputTest {

    private static final Shape TUMBLING =
            new Shape(
                    Shape.Kind.TUMBLING,
                    TumblingEventTimeWindows.of(Duration.ofMillis(10)),
                    10,
                    10,
                    0);
    private static final Query QUERY = Query.all(Column.PRICE, Column.BIG);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void decimalOutOfPrecision(boolean local) throws Exception {
        Reading reading = reading("s1", 1);
        reading.price = new BigDecimal("1234567890.5");
        try (Job job = job(plan(local, false))) {
            assertThatThrownBy(() -> all(job, reading))
                    .hasStackTraceContaining("PRICE")
                    .hasStackTraceContaining("1234567890.5")
                    .hasStackTraceContaining("s1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nullKey(boolean local) throws Exception {
        try (Job job = job(plan(local, false))) {
            assertThatThrownBy(() -> all(job, reading(null, 1))).hasStackTraceContaining("key");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noTimestamp(boolean local) throws Exception {
        try (Job job = job(plan(local, false))) {
            assertThatThrownBy(() -> job.arrives(0, reading("s1", 1), Long.MIN_VALUE))
                    .hasStackTraceContaining("timestamp")
                    .hasStackTraceContaining("s1");
        }
    }

    /** Windows of all time need no timestamps; what is first does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noTimestampWhereOneIsFirst(boolean local) throws Exception {
        Query first =
                new Query(
                        List.of(),
                        List.of(new CellPart(CellAggregate.Kind.FIRST, Column.BIG, null, 0)));
        Shape global = Shape.random(Shape.Kind.GLOBAL, new Random(0));
        try (Job job = job(plan(global, first, local, false))) {
            assertThatThrownBy(() -> job.arrives(0, reading("s1", 1), Long.MIN_VALUE))
                    .hasStackTraceContaining(
                            "a record needs a timestamp to be the first or the last:"
                                    + " timestamp=Long.MIN_VALUE, key=s1; call"
                                    + " assignTimestampsAndWatermarks(..) on the stream before");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sumThatOverflows(boolean local) throws Exception {
        try (Job job = job(plan(local, false))) {
            assertThatThrownBy(
                            () ->
                                    all(
                                            job,
                                            reading("s7", Long.MAX_VALUE),
                                            reading("s7", Long.MAX_VALUE)))
                    .hasStackTraceContaining("BIG")
                    .hasStackTraceContaining("s7")
                    .satisfies(
                            e ->
                                    assertThat(ExceptionUtils.stringifyException(e))
                                            .containsPattern("\\b20\\b.*\\b30\\b"));
        }
    }

    @Test
    void sumThatComesBackIntoRange() throws Exception {
        try (Job job = job(plan(true, false))) {
            List<String> rows =
                    all(
                            job,
                            reading("s7", Long.MAX_VALUE),
                            reading("s7", Long.MAX_VALUE),
                            reading("s7", -Long.MAX_VALUE));
            assertThat(rows).singleElement().asString().contains("Long 9223372036854775807");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deadLettersAreTheBadOnesAndNoneElse(boolean local) throws Exception {
        Reading tooWide = reading("s2", 2);
        tooWide.price = new BigDecimal("0.0001");
        try (Job job = job(plan(local, true))) {
            job.arrives(0, reading("s3", 3), Long.MIN_VALUE);
            List<String> rows =
                    all(job, reading("s1", 5), reading(null, 1), tooWide, reading("s2", 6));

            assertThat(job.deadLetters())
                    .extracting(letter -> letter.record().big)
                    .containsExactlyInAnyOrder(3L, 1L, 2L);
            assertThat(reason(job, 1)).contains("key").doesNotContain("\n");
            assertThat(reason(job, 2)).contains("PRICE", "0.0001", "s2").doesNotContain("\n");
            assertThat(reason(job, 3)).contains("timestamp", "s3").doesNotContain("\n");
            assertThat(rows).hasSize(2);
            assertThat(rows.get(0)).startsWith("s1 [20, 30)").contains("Long 5");
            assertThat(rows.get(1)).startsWith("s2 [20, 30)").contains("Long 6");
            assertThat(job.lateRecordsDropped()).isZero();
        }
    }

    static Stream<Trigger<Object, TimeWindow>> otherTriggers() {
        return Stream.of(
                CountTrigger.of(3),
                PurgingTrigger.of(EventTimeTrigger.create()),
                PurgingTrigger.of(CountTrigger.of(3)));
    }

    @ParameterizedTest
    @MethodSource("otherTriggers")
    void refusesOtherTriggers(Trigger<Object, TimeWindow> trigger) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyed().window(TUMBLING.assigner()).trigger(trigger))
                .withMessageContaining(trigger.getClass().getSimpleName())
                .withMessageContaining("Flink");
    }

    @Test
    void takesTheDefaultTrigger() {
        assertThat(keyed().window(TUMBLING.assigner()).trigger(EventTimeTrigger.create()))
                .isNotNull();
    }

    static Stream<WindowAssigner<Object, ?>> otherAssigners() {
        return Stream.of(
                ProcessingTimeSessionWindows.withGap(Duration.ofMillis(5)),
                EventTimeSessionWindows.withDynamicGap(element -> 5),
                new OwnTumbling(),
                new OwnAssigner());
    }

    @ParameterizedTest
    @MethodSource("otherAssigners")
    void refusesOtherAssigners(WindowAssigner<Object, ?> assigner) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keyed().window(assigner))
                .withMessageContaining(assigner.getClass().getSimpleName())
                .withMessageContaining("Flink");
    }

    private static KeyedGpuStream<Reading, String> keyed() {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        return GpuStreams.on(env.fromData(List.of(new Reading()), Types.POJO(Reading.class)))
                .keyBy(reading -> reading.sensor);
    }

    private static Reading reading(String sensor, long big) {
        Reading reading = new Reading();
        reading.sensor = sensor;
        reading.big = big;
        return reading;
    }

    private static Plan<String> plan(boolean local, boolean deadLetters) {
        return plan(TUMBLING, QUERY, local, deadLetters);
    }

    private static Plan<String> plan(Shape shape, Query query, boolean local, boolean deadLetters) {
        return new Plan<>(
                KeyKind.STRING,
                shape,
                query,
                -1,
                false,
                local,
                new BatchPolicy(2, 1 << 16, Duration.ofSeconds(1)),
                false,
                deadLetters);
    }

    private static Job job(Plan<?> plan) throws Exception {
        return new Job(
                Stages.of(plan, Plan.Engine.OURS),
                plan::row,
                1,
                1,
                false,
                new HashMapStateBackend(),
                0,
                null);
    }

    /** The rows of these records, which all have the timestamp 25. */
    private static List<String> all(Job job, Reading... readings) throws Exception {
        for (Reading reading : readings) {
            job.arrives(0, reading, 25);
        }
        job.watermark(0, Long.MAX_VALUE);
        return job.recorded("end").get(0).rows();
    }

    private static String reason(Job job, long big) {
        return job.deadLetters().stream()
                .filter(letter -> letter.record().big == big)
                .map(DeadLetter::reason)
                .findAny()
                .orElseThrow();
    }

    /** Could assign anything. */
    private static final class OwnTumbling extends TumblingEventTimeWindows {

        private static final long serialVersionUID = 1L;

        OwnTumbling() {
            super(10, 0, org.apache.flink.streaming.api.windowing.assigners.WindowStagger.ALIGNED);
        }
    }

    /** All records of all times in one window. */
    private static final class OwnAssigner extends WindowAssigner<Object, TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public Collection<TimeWindow> assignWindows(
                Object element, long timestamp, WindowAssignerContext context) {
            return List.of(new TimeWindow(0, 1000));
        }

        @Override
        public Trigger<Object, TimeWindow> getDefaultTrigger() {
            return EventTimeTrigger.create();
        }

        @Override
        public TypeSerializer<TimeWindow> getWindowSerializer(ExecutionConfig config) {
            return new TimeWindow.Serializer();
        }

        @Override
        public boolean isEventTime() {
            return true;
        }
    }
}
