package io.flinkgpu.operator.window;

import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.InstantiationUtil;

import java.io.IOException;
import java.util.Collection;

/**
 * Finds out the shape of an assigner by asking it for the windows of chosen timestamps, for it does not
 * give its sizes and offset otherwise.
 */
final class AssignerProbe {

    /** More than Flink lets a sliding window have windows; then the gaps are ten million sizes long. */
    private static final long MAX_PROBES = 10_000_000;

    /** A random stagger of windows of two milliseconds looks aligned this often by a chance of 2^-64. */
    private static final int STAGGER_PROBES = 65;

    private static final long MAX_SPAN_MILLIS = 1L << 61;

    /** What is refused of the window of all time. */
    static final String NEVER_FIRES =
            "GlobalWindows without a trigger, such as createWithEndOfStreamTrigger(), trigger(..) or"
                    + " countWindow(n),";

    private AssignerProbe() {}

    static WindowShape shapeOf(WindowAssigner<?, ?> assigner) {
        Class<?> type = assigner.getClass();
        if (type == TumblingEventTimeWindows.class || type == TumblingProcessingTimeWindows.class) {
            return tumbling(assigner);
        }
        if (type == SlidingEventTimeWindows.class) {
            SlidingEventTimeWindows sliding = (SlidingEventTimeWindows) assigner;
            return sliding(assigner, sliding.getSize(), sliding.getSlide());
        }
        if (type == SlidingProcessingTimeWindows.class) {
            SlidingProcessingTimeWindows sliding = (SlidingProcessingTimeWindows) assigner;
            return sliding(assigner, sliding.getSize(), sliding.getSlide());
        }
        if (type == EventTimeSessionWindows.class) {
            return session(windowsOf(assigner, 0, 0).iterator().next().getEnd());
        }
        if (type == GlobalWindows.class) {
            if (assigner.getDefaultTrigger().getClass() == GlobalWindows.EndOfStreamTrigger.class) {
                return WindowShape.global();
            }
            throw refused(NEVER_FIRES);
        }
        throw refused("the window assigner " + type.getName());
    }

    /** Says that Flink's own operator is the way. */
    static IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(
                what
                        + " is not accelerated; use Flink's own operator with the same accumulators:"
                        + " keyBy(..).window(..).aggregate(new ExactAggregate<>(..))");
    }

    private static WindowShape tumbling(WindowAssigner<?, ?> assigner) {
        TimeWindow window = null;
        for (int i = 0; i < STAGGER_PROBES; i++) {
            // The first question fixes the stagger for the assigner's life: ask copies.
            WindowAssigner<?, ?> copy = copy(assigner);
            windowsOf(copy, 0, i);
            TimeWindow again = windowsOf(copy, 0, 0).iterator().next();
            if (window != null && !window.equals(again)) {
                throw refused("a WindowStagger other than ALIGNED");
            }
            window = again;
        }
        return WindowShape.tumbling(
                assigner.isEventTime(), window.getEnd() - window.getStart(), window.getStart());
    }

    private static WindowShape session(long gapMillis) {
        if (gapMillis > MAX_SPAN_MILLIS) {
            // A session of such a gap ends before it starts, as its end does not fit a long.
            throw new IllegalArgumentException(
                    "a session's gap is at most 2^61 ms: gap="
                            + gapMillis
                            + " ms; use GlobalWindows for one window of all time");
        }
        return WindowShape.session(gapMillis);
    }

    private static WindowShape sliding(
            WindowAssigner<?, ?> assigner, long sizeMillis, long slideMillis) {
        if (sizeMillis > MAX_SPAN_MILLIS || slideMillis > MAX_SPAN_MILLIS) {
            // Flink's assigner steps back from a timestamp until it overflows, and never ends.
            throw new IllegalArgumentException(
                    "a sliding window and its slide have at most 2^61 ms: size="
                            + sizeMillis
                            + " ms, slide="
                            + slideMillis
                            + " ms; use GlobalWindows for one window of all time");
        }
        long timestamp = 0;
        for (long i = 0; i < MAX_PROBES && timestamp < slideMillis; i++, timestamp += sizeMillis) {
            Collection<TimeWindow> windows = windowsOf(assigner, timestamp, timestamp);
            if (!windows.isEmpty()) {
                long offsetMillis = windows.iterator().next().getStart() % slideMillis;
                return WindowShape.sliding(
                        assigner.isEventTime(), sizeMillis, slideMillis, offsetMillis);
            }
        }
        throw refused(
                "a slide of over ten million sizes: size="
                        + sizeMillis
                        + " ms, slide="
                        + slideMillis
                        + " ms");
    }

    @SuppressWarnings("unchecked") // All assigners asked take any record and give time windows.
    private static Collection<TimeWindow> windowsOf(
            WindowAssigner<?, ?> assigner, long timestamp, long processingTime) {
        return ((WindowAssigner<Object, TimeWindow>) assigner)
                .assignWindows(
                        null,
                        timestamp,
                        new WindowAssigner.WindowAssignerContext() {
                            @Override
                            public long getCurrentProcessingTime() {
                                return processingTime;
                            }
                        });
    }

    private static WindowAssigner<?, ?> copy(WindowAssigner<?, ?> assigner) {
        try {
            return InstantiationUtil.clone(assigner);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Flink's assigner could not be copied: assigner=" + assigner, e);
        }
    }
}
