package io.flinkgpu.operator.window;

import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.io.Serializable;
import java.util.List;

/**
 * How an assigner cuts time: the slices that records are added to, and the windows that a slice belongs
 * to. A slice is the longest span that no window's edge cuts, so a record is added once however many
 * windows it is in.
 *
 * <pre>
 *   sliding, size 4, slide 2   windows  |-------|
 *                                           |-------|
 *                              slices   |---|---|---|
 * </pre>
 *
 * The slice of a session is the session that the record alone would make.
 */
public final class WindowShape implements Serializable {

    private static final long serialVersionUID = 1L;

    private WindowShape() {}

    /**
     * The shape of one of Flink's assigners: {@link TumblingEventTimeWindows}, {@link
     * SlidingEventTimeWindows}, {@link EventTimeSessionWindows} with a fixed gap, {@link
     * TumblingProcessingTimeWindows}, {@link SlidingProcessingTimeWindows}, and {@link GlobalWindows}
     * with the trigger of the end of the stream.
     *
     * @throws IllegalArgumentException for any other, naming Flink's own operator as the way
     */
    public static WindowShape of(WindowAssigner<?, ?> assigner) {
        throw new UnsupportedOperationException();
    }

    public boolean isEventTime() {
        throw new UnsupportedOperationException();
    }

    /** Whether windows grow by merging. */
    public boolean isSession() {
        throw new UnsupportedOperationException();
    }

    /** Whether there is one window for all time, which fires when the stream ends. */
    public boolean isGlobal() {
        throw new UnsupportedOperationException();
    }

    /** The first millisecond of the slice that a timestamp is in. */
    public long sliceStart(long timestamp) {
        throw new UnsupportedOperationException();
    }

    /** The first millisecond behind a slice. */
    public long sliceEnd(long sliceStart) {
        throw new UnsupportedOperationException();
    }

    /**
     * The windows that a slice belongs to, the latest first, as Flink's assigner gives them; none where
     * it lies in a gap between windows. For sessions the slice itself.
     */
    public List<TimeWindow> windows(long sliceStart, long sliceEnd) {
        throw new UnsupportedOperationException();
    }

    /**
     * The watermark from which on a buffered slice may make a difference to what is emitted: the last
     * millisecond of its earliest window. For a session, which a session already in state may be merged
     * into, the last millisecond before it.
     */
    public long threshold(long sliceStart, long sliceEnd) {
        throw new UnsupportedOperationException();
    }
}
