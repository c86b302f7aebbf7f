package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;
import io.flinkgpu.operator.window.WindowTrigger.Kind;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.streaming.api.functions.windowing.delta.DeltaFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.DeltaTrigger;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * That Flink's triggers do what is known of them is compared in {@link TriggerEqualsFlinkTest}.
 *
 * <p>Covers: TriggerProbe.
 */
class TriggerProbeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final TumblingEventTimeWindows TUMBLING = TumblingEventTimeWindows.of(MINUTE);
    private static final GlobalWindows ALL_TIME = GlobalWindows.create();

    static Stream<Arguments> accepted() {
        Trigger<Object, TimeWindow> event = ContinuousEventTimeTrigger.of(Duration.ofMillis(1500));
        Trigger<Object, GlobalWindow> clock = ContinuousProcessingTimeTrigger.of(MINUTE);
        return Stream.of(
                arguments(TUMBLING, EventTimeTrigger.create(), Kind.ASSIGNER, 0, false),
                arguments(ALL_TIME, new GlobalWindows.NeverTrigger(), Kind.NEVER, 0, false),
                arguments(
                        GlobalWindows.createWithEndOfStreamTrigger(),
                        new GlobalWindows.EndOfStreamTrigger(),
                        Kind.ASSIGNER,
                        0,
                        false),
                arguments(TUMBLING, event, Kind.CONTINUOUS_EVENT_TIME, 1500, false),
                arguments(
                        SlidingEventTimeWindows.of(MINUTE, MINUTE),
                        PurgingTrigger.of(event),
                        Kind.CONTINUOUS_EVENT_TIME,
                        1500,
                        true),
                arguments(ALL_TIME, clock, Kind.CONTINUOUS_PROCESSING_TIME, 60_000, false),
                arguments(
                        ALL_TIME,
                        PurgingTrigger.of(clock),
                        Kind.CONTINUOUS_PROCESSING_TIME,
                        60_000,
                        true),
                arguments(ALL_TIME, CountTrigger.of(7), Kind.COUNT, 7, false),
                arguments(ALL_TIME, PurgingTrigger.of(CountTrigger.of(7)), Kind.COUNT, 7, true),
                arguments(ALL_TIME, CountTrigger.of(0), Kind.COUNT, 1, false));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void findsOutWhatATriggerDoes(
            WindowAssigner<Object, ?> assigner,
            Trigger<?, ?> trigger,
            Kind kind,
            long every,
            boolean purges) {
        assertThat(WindowTrigger.of(assigner, WindowHarness.shape(assigner), trigger))
                .isEqualTo(new WindowTrigger(kind, every, purges));
    }

    static Stream<Arguments> refused() {
        String triggers = "the trigger org.apache.flink.streaming.api.windowing.triggers.";
        DeltaFunction<Object> delta = (before, now) -> 1;
        return Stream.of(
                arguments(
                        TUMBLING,
                        CountTrigger.of(3),
                        triggers + "CountTrigger of TumblingEventTimeWindows"),
                arguments(
                        TUMBLING,
                        PurgingTrigger.of(EventTimeTrigger.create()),
                        triggers
                                + "PurgingTrigger with EventTimeTrigger of TumblingEventTimeWindows"),
                arguments(
                        TUMBLING,
                        ProcessingTimeTrigger.create(),
                        triggers + "ProcessingTimeTrigger of TumblingEventTimeWindows"),
                arguments(
                        EventTimeSessionWindows.withGap(MINUTE),
                        ContinuousEventTimeTrigger.of(MINUTE),
                        triggers + "ContinuousEventTimeTrigger of EventTimeSessionWindows"),
                arguments(
                        TumblingProcessingTimeWindows.of(MINUTE),
                        ContinuousProcessingTimeTrigger.of(MINUTE),
                        triggers
                                + "ContinuousProcessingTimeTrigger of TumblingProcessingTimeWindows"),
                arguments(
                        ALL_TIME,
                        DeltaTrigger.of(
                                1,
                                delta,
                                new KryoSerializer<>(Object.class, new SerializerConfigImpl())),
                        triggers + "DeltaTrigger of GlobalWindows"),
                arguments(
                        ALL_TIME,
                        PurgingTrigger.of(PurgingTrigger.of(CountTrigger.of(3))),
                        triggers + "PurgingTrigger with PurgingTrigger of GlobalWindows"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNotAcceleratedIsRefused(
            WindowAssigner<Object, ?> assigner, Trigger<?, ?> trigger, String what) {
        assertThatThrownBy(() -> WindowTrigger.of(assigner, WindowHarness.shape(assigner), trigger))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        what
                                + " is not accelerated; use Flink's own operator with the same"
                                + " accumulators: keyBy(..).window(..).aggregate(new"
                                + " ExactAggregate<>(..))");
    }

    /** Flink's trigger would divide by it with the first record. */
    @Test
    void anIntervalIsAtLeastAMillisecond() {
        assertThatThrownBy(
                        () ->
                                WindowTrigger.of(
                                        TUMBLING,
                                        WindowShape.of(TUMBLING),
                                        ContinuousEventTimeTrigger.of(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a trigger's interval must be at least a millisecond: interval=0 ms; give a"
                                + " longer one");
    }
}
