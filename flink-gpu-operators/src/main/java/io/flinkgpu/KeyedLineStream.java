package io.flinkgpu;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;

/** Lines grouped by a field. */
@PublicEvolving
public final class KeyedLineStream {

    private final DataStream<Lines> stream;
    private final LineReading reading;
    private final GpuOptions options;
    private final int keyField;

    KeyedLineStream(
            DataStream<Lines> stream, LineReading reading, GpuOptions options, int keyField) {
        this.stream = stream;
        this.reading = reading;
        this.options = options;
        this.keyField = keyField;
    }

    /**
     * Cuts the lines into windows with one of Flink's assigners and its default trigger: tumbling and
     * sliding windows in event time, and {@code GlobalWindows.createWithEndOfStreamTrigger()}.
     *
     * @throws IllegalArgumentException for any other assigner, naming the way; and for windows in event
     *     time if lines have none
     */
    @SuppressWarnings("unchecked") // All assigners with a shape take any object.
    public WindowedLineStream window(WindowAssigner<?, ?> assigner) {
        WindowShape shape = WindowShape.of(JobChecks.present("assigner", assigner));
        if (shape.isSession() || shape.isProcessingTime()) {
            throw Errors.argument(
                    "lines are aggregated in tumbling and sliding windows of event time, and in"
                            + " one window to the end of the stream: assigner=%s; for others use"
                            + " rows() and GpuStreams.on(rows).keyBy(..).window(..)",
                    assigner);
        }
        if (shape.isEventTime() && !reading.hasTime()) {
            throw Errors.argument(
                    "windows of event time need the time of a line: assigner=%s; call"
                            + " eventTime(field, maxOutOfOrderness) before keyBy(..)",
                    assigner);
        }
        return new WindowedLineStream(this, (WindowAssigner<Object, ?>) assigner, shape);
    }

    DataStream<Lines> stream() {
        return stream;
    }

    LineReading reading() {
        return reading;
    }

    GpuOptions options() {
        return options;
    }

    int keyField() {
        return keyField;
    }
}
