package io.flinkgpu.operator.window;

import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.ProcessingTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.assigners.WindowStagger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Shapes against the assigners that they are made of.
 *
 * <p>Covers: WindowShape, AssignerProbe.
 */
class WindowShapeTest {

    private static final long SEED = Long.getLong("seed", 20240229L);
    private static final int ASSIGNERS = 600;
    private static final int TIMESTAMPS = 60;

    @Test
    void theWindowsOfASliceAreThoseOfItsTimestamps() {
        Random random = new Random(SEED);
        for (int i = 0; i < ASSIGNERS; i++) {
            long limit = i % 3 == 0 ? 12 : i % 3 == 1 ? 5_000 : 100_000_000_000L;
            WindowAssigner<Object, TimeWindow> assigner = randomAssigner(random, limit);
            WindowShape shape = WindowShape.of(assigner);
            for (int j = 0; j < TIMESTAMPS; j++) {
                long timestamp = randomTimestamp(random, limit);
                String run = "seed=" + SEED + " " + shape + " timestamp=" + timestamp;
                long start = shape.sliceStart(timestamp);
                long end = shape.sliceEnd(start);
                List<TimeWindow> windows = shape.windows(start, end);
                if (!windows.isEmpty() || Math.abs(timestamp) < Long.MAX_VALUE / 2) {
                    assertThat(windows)
                            .as(run)
                            .isEqualTo(List.copyOf(assigned(assigner, timestamp)));
                    assertThat(timestamp).as(run).isBetween(start, end - 1);
                }
                checkThresholds(shape, start, end, windows, run);
            }
        }
    }

    private static void checkThresholds(
            WindowShape shape, long start, long end, List<TimeWindow> windows, String run) {
        if (windows.isEmpty()) {
            assertThat(shape.threshold(start, end)).as(run).isEqualTo(Long.MIN_VALUE);
            assertThat(shape.isOpen(start, end, Long.MIN_VALUE)).as(run).isFalse();
            return;
        }
        long first = windows.stream().mapToLong(TimeWindow::maxTimestamp).min().getAsLong();
        long threshold = shape.isSession() ? start - 1 : first;
        assertThat(shape.threshold(start, end)).as(run).isEqualTo(threshold);
        assertThat(shape.isOpen(start, end, first)).as(run).isFalse();
        assertThat(shape.isOpen(start, end, first - 1)).as(run).isTrue();
    }

    @Test
    void windowsThatOverflowAreLeftToTheAssigner() {
        WindowShape shape =
                WindowShape.of(
                        SlidingEventTimeWindows.of(Duration.ofMillis(10), Duration.ofMillis(4)));
        for (long timestamp : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MIN_VALUE + 1}) {
            long start = shape.sliceStart(timestamp);
            assertThat(shape.windows(start, shape.sliceEnd(start))).as("%s", timestamp).isEmpty();
        }
        WindowShape sessions =
                WindowShape.of(EventTimeSessionWindows.withGap(Duration.ofMillis(5)));
        assertThat(sessions.windows(Long.MAX_VALUE, sessions.sliceEnd(Long.MAX_VALUE))).isEmpty();
        assertThat(sessions.windows(Long.MIN_VALUE, sessions.sliceEnd(Long.MIN_VALUE))).isEmpty();
    }

    @Test
    void aWindowForAllPracticalTimeIsASlice() {
        WindowShape shape =
                WindowShape.of(TumblingEventTimeWindows.of(Duration.ofMillis(Long.MAX_VALUE)));
        assertThat(shape.windows(shape.sliceStart(5), shape.sliceEnd(shape.sliceStart(5))))
                .containsExactly(new TimeWindow(0, Long.MAX_VALUE));
    }

    @Test
    void theGlobalWindowIsOneSliceForAllTime() {
        WindowShape shape = WindowShape.of(GlobalWindows.createWithEndOfStreamTrigger());
        assertThat(shape.isGlobal()).isTrue();
        assertThat(shape.isEventTime()).isFalse();
        for (long timestamp : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            long start = shape.sliceStart(timestamp);
            long end = shape.sliceEnd(start);
            assertThat(shape.windows(start, end))
                    .containsExactly(new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE));
            assertThat(shape.threshold(start, end)).isEqualTo(Long.MAX_VALUE);
            assertThat(shape.isOpen(start, end, Long.MAX_VALUE - 1)).isTrue();
        }
    }

    static Stream<Arguments> refused() {
        Duration minute = Duration.ofMinutes(1);
        Duration zero = Duration.ZERO;
        return Stream.of(
                arguments(GlobalWindows.create(), "GlobalWindows without a trigger"),
                arguments(
                        TumblingEventTimeWindows.of(minute, zero, WindowStagger.RANDOM),
                        "a WindowStagger other than ALIGNED"),
                arguments(
                        TumblingEventTimeWindows.of(
                                Duration.ofMillis(2), zero, WindowStagger.RANDOM),
                        "a WindowStagger other than ALIGNED"),
                arguments(
                        TumblingProcessingTimeWindows.of(minute, zero, WindowStagger.NATURAL),
                        "a WindowStagger other than ALIGNED"),
                arguments(
                        EventTimeSessionWindows.withDynamicGap(element -> 5),
                        "DynamicEventTimeSessionWindows"),
                arguments(
                        ProcessingTimeSessionWindows.withGap(minute),
                        "ProcessingTimeSessionWindows"),
                arguments(new Fortnights(), "WindowShapeTest$Fortnights"),
                arguments(
                        SlidingEventTimeWindows.of(
                                Duration.ofMillis(1), Duration.ofDays(9999), minute.plusDays(9000)),
                        "a slide of over ten million sizes"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNotAcceleratedIsRefused(WindowAssigner<?, ?> assigner, String what) {
        assertThatThrownBy(() -> WindowShape.of(assigner))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(what)
                .hasMessageEndingWith(
                        " is not accelerated; use Flink's own operator with the same accumulators:"
                                + " keyBy(..).window(..).aggregate(new ExactAggregate<>(..))");
    }

    /** Flink's assigner does not come back from the question for its windows. */
    @Test
    void aGapOfNearlyAllTimeIsRefused() {
        EventTimeSessionWindows endless =
                EventTimeSessionWindows.withGap(Duration.ofMillis(Long.MAX_VALUE));
        assertThatThrownBy(() -> WindowShape.of(endless))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a session's gap is at most 2^61 ms: gap=9223372036854775807 ms; use"
                                + " GlobalWindows for one window of all time");
        assertThat(WindowShape.of(EventTimeSessionWindows.withGap(Duration.ofMillis(1L << 61))))
                .hasToString(WindowShape.session(1L << 61).toString());
    }

    @Test
    void aSlidingWindowOfNearlyAllTimeIsRefused() {
        SlidingEventTimeWindows endless =
                SlidingEventTimeWindows.of(
                        Duration.ofMillis(Long.MAX_VALUE), Duration.ofMillis(Long.MAX_VALUE / 3));
        assertThatThrownBy(() -> WindowShape.of(endless))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "a sliding window and its slide have at most 2^61 ms: size=");
    }

    /** Asking fixes a stagger for the assigner's life, so a refused assigner must not be asked. */
    @Test
    void aRefusedAssignerCanBeUsedElsewhere() {
        TumblingEventTimeWindows natural =
                TumblingEventTimeWindows.of(
                        Duration.ofMillis(100), Duration.ZERO, WindowStagger.NATURAL);
        assertThatThrownBy(() -> WindowShape.of(natural))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(natural.assignWindows(null, 0, at(37))).containsExactly(new TimeWindow(-63, 37));
    }

    private static WindowAssigner<Object, TimeWindow> randomAssigner(Random random, long limit) {
        long size = 1 + random.nextLong(limit);
        long slide =
                random.nextInt(3) == 0
                        ? size + random.nextLong(Math.min(limit, 40 * size))
                        : Math.max(1, size / (1 + random.nextInt(6)) + random.nextLong(5) - 2);
        Duration offset = Duration.ofMillis(random.nextLong(2 * slide - 1) - slide + 1);
        Duration sizeTime = Duration.ofMillis(size);
        Duration slideTime = Duration.ofMillis(slide);
        return switch (random.nextInt(5)) {
            case 0 -> TumblingEventTimeWindows.of(slideTime, offset);
            case 1 -> SlidingEventTimeWindows.of(sizeTime, slideTime, offset);
            case 2 -> EventTimeSessionWindows.withGap(sizeTime);
            case 3 -> TumblingProcessingTimeWindows.of(slideTime, offset);
            default -> SlidingProcessingTimeWindows.of(sizeTime, slideTime, offset);
        };
    }

    private static long randomTimestamp(Random random, long limit) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(20 * limit) - 10 * limit;
            case 1 -> Long.MIN_VALUE + 1 + random.nextLong(3 * limit);
            case 2 -> Long.MAX_VALUE - random.nextLong(3 * limit);
            default -> random.nextLong() / 4;
        };
    }

    private static Collection<TimeWindow> assigned(
            WindowAssigner<Object, TimeWindow> assigner, long timestamp) {
        return assigner.assignWindows(null, timestamp, at(timestamp));
    }

    private static WindowAssigner.WindowAssignerContext at(long processingTime) {
        return new WindowAssigner.WindowAssignerContext() {
            @Override
            public long getCurrentProcessingTime() {
                return processingTime;
            }
        };
    }

    private static final class Fortnights extends TumblingEventTimeWindows {

        private static final long serialVersionUID = 1L;

        Fortnights() {
            super(14 * 86_400_000L, 0, WindowStagger.ALIGNED);
        }
    }
}
