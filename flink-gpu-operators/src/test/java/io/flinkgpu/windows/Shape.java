package io.flinkgpu.windows;

import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

import java.io.Serializable;
import java.time.Duration;
import java.util.Random;

/**
 * Windows of one kind.
 *
 * @param sizeMillis of a window; of a session its gap
 * @param edgesMillis the distance of the windows' edges, which timestamps are put next to
 */
record Shape(
        Kind kind,
        WindowAssigner<Object, ?> assigner,
        long sizeMillis,
        long edgesMillis,
        long offsetMillis)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    enum Kind {
        TUMBLING,
        SLIDING,
        SLIDING_UNEVEN,
        SLIDING_GAPS,
        SESSION,
        PROCESSING_TUMBLING,
        PROCESSING_SLIDING,
        GLOBAL
    }

    static Shape random(Kind kind, Random random) {
        long slide = 1 + random.nextInt(12);
        return switch (kind) {
            case TUMBLING -> {
                long size = 1 + random.nextInt(30);
                long offset = random.nextBoolean() ? 0 : random.nextInt((int) size);
                yield new Shape(
                        kind,
                        TumblingEventTimeWindows.of(millis(size), millis(offset)),
                        size,
                        size,
                        offset);
            }
            case SLIDING -> sliding(kind, slide * (1 + random.nextInt(8)), slide, random);
            case SLIDING_UNEVEN -> {
                long uneven = slide + 1;
                yield sliding(
                        kind,
                        uneven * (1 + random.nextInt(5)) + 1 + random.nextInt((int) uneven - 1),
                        uneven,
                        random);
            }
            case SLIDING_GAPS -> sliding(kind, slide, slide + 1 + random.nextInt(10), random);
            case SESSION ->
                    new Shape(
                            kind, EventTimeSessionWindows.withGap(millis(slide)), slide, slide, 0);
            case PROCESSING_TUMBLING ->
                    new Shape(
                            kind,
                            TumblingProcessingTimeWindows.of(millis(slide * 3)),
                            slide * 3,
                            slide * 3,
                            0);
            case PROCESSING_SLIDING ->
                    new Shape(
                            kind,
                            SlidingProcessingTimeWindows.of(millis(slide * 3), millis(slide)),
                            slide * 3,
                            slide,
                            0);
            case GLOBAL -> new Shape(kind, GlobalWindows.createWithEndOfStreamTrigger(), 10, 10, 0);
        };
    }

    private static Shape sliding(Kind kind, long size, long slide, Random random) {
        long offset = random.nextBoolean() ? 0 : random.nextInt((int) slide);
        return new Shape(
                kind,
                SlidingEventTimeWindows.of(millis(size), millis(slide), millis(offset)),
                size,
                slide,
                offset);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
