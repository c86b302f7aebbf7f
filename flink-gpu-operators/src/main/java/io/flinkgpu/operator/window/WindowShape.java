package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;
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
 *
 * <p>A slice so near to the ends of time that a window's edge would overflow is in no window here,
 * though Flink's assigner may give some; it has to be asked about records of such slices.
 */
@Internal
public final class WindowShape implements Serializable {

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final boolean eventTime;
    private final long sizeMillis;
    private final long slideMillis;
    private final long offsetMillis;
    private final long sliceMillis;

    private WindowShape(
            Kind kind, boolean eventTime, long sizeMillis, long slideMillis, long offsetMillis) {
        this.kind = kind;
        this.eventTime = eventTime;
        this.sizeMillis = sizeMillis;
        this.slideMillis = slideMillis;
        this.offsetMillis = Math.floorMod(offsetMillis, slideMillis);
        this.sliceMillis = gcd(sizeMillis, slideMillis);
    }

    /** Windows of one size that touch. */
    public static WindowShape tumbling(boolean eventTime, long sizeMillis, long offsetMillis) {
        return new WindowShape(Kind.TUMBLING, eventTime, sizeMillis, sizeMillis, offsetMillis);
    }

    /** Windows of one size that overlap, or that leave gaps. */
    public static WindowShape sliding(
            boolean eventTime, long sizeMillis, long slideMillis, long offsetMillis) {
        return new WindowShape(Kind.SLIDING, eventTime, sizeMillis, slideMillis, offsetMillis);
    }

    /** Event-time sessions. */
    public static WindowShape session(long gapMillis) {
        return new WindowShape(Kind.SESSION, true, gapMillis, gapMillis, 0);
    }

    /** The one window of all time, whatever makes it fire. */
    public static WindowShape global() {
        return new WindowShape(Kind.GLOBAL, false, Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }

    /**
     * The shape of one of Flink's assigners: {@link TumblingEventTimeWindows}, {@link
     * SlidingEventTimeWindows}, {@link EventTimeSessionWindows} with a fixed gap, {@link
     * TumblingProcessingTimeWindows}, {@link SlidingProcessingTimeWindows}, and {@link GlobalWindows}
     * with the trigger of the end of the stream.
     *
     * @throws IllegalArgumentException for any other, naming Flink's own operator as the way
     */
    public static WindowShape of(WindowAssigner<?, ?> assigner) {
        return AssignerProbe.shapeOf(assigner);
    }

    public boolean isEventTime() {
        return eventTime;
    }

    /** Whether a record's windows depend on when it comes, and not on the record. */
    public boolean isProcessingTime() {
        return !eventTime && !isGlobal();
    }

    /** Whether windows grow by merging. */
    public boolean isSession() {
        return kind == Kind.SESSION;
    }

    /** Whether there is one window of all time. */
    public boolean isGlobal() {
        return kind == Kind.GLOBAL;
    }

    /** How long a slice is; for windows of one size. */
    public long sliceMillis() {
        return sliceMillis;
    }

    /** How many slices a window of fixed size has. */
    public long slicesOfWindow() {
        return sizeMillis / sliceMillis;
    }

    /** How many windows a slice is in, at least; 0 if windows leave gaps. */
    public long windowsOfSlice() {
        return sizeMillis / slideMillis;
    }

    /** Where the slice after time 0 starts, 0 to one less than a slice is long. */
    public long sliceOffsetMillis() {
        return offsetMillis % sliceMillis;
    }

    /** The first millisecond of the slice that a timestamp is in. */
    public long sliceStart(long timestamp) {
        return switch (kind) {
            case SESSION -> timestamp;
            case GLOBAL -> Long.MIN_VALUE;
            case TUMBLING, SLIDING -> floor(timestamp, sliceMillis);
        };
    }

    /** The first millisecond after a slice. */
    public long sliceEnd(long sliceStart) {
        return isGlobal() ? Long.MAX_VALUE : sliceStart + sliceMillis;
    }

    /**
     * The windows that a slice belongs to, the latest first, as Flink's assigner gives them; none where
     * it lies in a gap between windows. For sessions the slice itself, and for the global window all
     * time. Takes no memory for each window, of which a slice may have very many.
     */
    public List<TimeWindow> windows(long sliceStart, long sliceEnd) {
        if (!hasWindows(sliceStart, sliceEnd)) {
            return List.of();
        }
        if (kind != Kind.SLIDING) {
            return List.of(new TimeWindow(sliceStart, sliceEnd));
        }
        long latestStart = floor(sliceStart, slideMillis);
        int count = Math.toIntExact(windowsBefore(sliceStart, latestStart) + 1);
        return new SlidingWindows(latestStart, slideMillis, sizeMillis, count);
    }

    /**
     * Whether a slice is in a window, and the watermark has reached the last millisecond of none of its
     * windows: a record of this slice makes no window fire.
     */
    public boolean isOpen(long sliceStart, long sliceEnd, long watermark) {
        return hasWindows(sliceStart, sliceEnd)
                && firstLastMillisecond(sliceStart, sliceEnd) > watermark;
    }

    /**
     * The watermark from which on a buffered slice may make a difference to what is emitted: the last
     * millisecond of its earliest window. For a session, which a session already in state may be merged
     * into, the last millisecond before it. {@code Long.MIN_VALUE} for a slice that is in no window.
     */
    public long threshold(long sliceStart, long sliceEnd) {
        if (!hasWindows(sliceStart, sliceEnd)) {
            return Long.MIN_VALUE;
        }
        return isSession() ? sliceStart - 1 : firstLastMillisecond(sliceStart, sliceEnd);
    }

    @Override
    public String toString() {
        return "WindowShape[kind="
                + kind
                + ", eventTime="
                + eventTime
                + ", sizeMillis="
                + sizeMillis
                + ", slideMillis="
                + slideMillis
                + ", offsetMillis="
                + offsetMillis
                + "]";
    }

    /** Of the windows of a slice that has some, the one that ends first: its last millisecond. */
    private long firstLastMillisecond(long sliceStart, long sliceEnd) {
        return switch (kind) {
            case GLOBAL -> Long.MAX_VALUE;
            case SLIDING -> {
                long latestStart = floor(sliceStart, slideMillis);
                long before = windowsBefore(sliceStart, latestStart);
                yield latestStart - before * slideMillis + (sizeMillis - 1);
            }
            case TUMBLING, SESSION -> sliceEnd - 1;
        };
    }

    /** Of the windows of a slice, how many start before the latest. */
    private long windowsBefore(long sliceStart, long latestStart) {
        return (sizeMillis - 1 - (sliceStart - latestStart)) / slideMillis;
    }

    private boolean hasWindows(long sliceStart, long sliceEnd) {
        if (isGlobal()) {
            return true;
        }
        if (sliceEnd <= sliceStart || sliceStart == Long.MIN_VALUE) {
            return false;
        }
        if (isSession()) {
            return true;
        }
        long latestStart = floor(sliceStart, slideMillis);
        return latestStart <= sliceStart
                && latestStart + sizeMillis >= sliceEnd
                && !offsetOverflows(sliceStart)
                && !offsetOverflows(sliceEnd)
                && (kind == Kind.TUMBLING || reachesBackFrom(sliceStart));
    }

    /** The start of the step that a timestamp is in; wraps around near the least long. */
    private long floor(long timestamp, long stepMillis) {
        // Subtracting the offset from the timestamp itself could overflow.
        long inStep = Math.floorMod(timestamp, stepMillis) - offsetMillis % stepMillis;
        return timestamp - (inStep < 0 ? inStep + stepMillis : inStep);
    }

    /** Whether Flink's assigner, which steps back until a window has ended, does so without overflow. */
    private boolean reachesBackFrom(long sliceStart) {
        return sliceStart - sizeMillis < sliceStart
                && sliceStart - sizeMillis - slideMillis < sliceStart - sizeMillis;
    }

    /** Whether Flink's assigner overflows when it subtracts its offset, of which the sign is unknown. */
    private boolean offsetOverflows(long timestamp) {
        return offsetMillis != 0
                && (subtractOverflows(timestamp, offsetMillis)
                        || subtractOverflows(timestamp, offsetMillis - slideMillis));
    }

    private static boolean subtractOverflows(long a, long b) {
        return ((a ^ b) & (a ^ (a - b))) < 0;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private enum Kind {
        TUMBLING,
        SLIDING,
        SESSION,
        GLOBAL
    }
}
