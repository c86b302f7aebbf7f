package io.flinkgpu.operator.window;

import io.flinkgpu.state.Partial;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What windows without lateness do, in the plainest way: windows of each key in a list. */
public final class WindowModel {

    private final WindowShape shape;
    private final Map<String, List<Content>> open = new TreeMap<>();
    private final List<String> fired = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private int late;

    public WindowModel(WindowShape shape) {
        this.shape = shape;
    }

    /** Adds the rows of a slice; false if it is late for one of its windows. */
    public boolean add(String key, long sliceStart, long sliceEnd, Partial rows) {
        List<TimeWindow> windows = shape.windows(sliceStart, sliceEnd);
        boolean late = false;
        boolean added = false;
        for (TimeWindow window : windows) {
            boolean inTime = addToWindow(key, window, rows);
            late |= !inTime;
            added |= inTime;
        }
        if (!added) {
            this.late++;
        }
        return !late;
    }

    /** Fires the windows that end. */
    public void watermark(long newWatermark) {
        watermark = newWatermark;
        for (Map.Entry<String, List<Content>> entry : open.entrySet()) {
            List<String> ended = new ArrayList<>();
            for (Content content : entry.getValue()) {
                if (content.end - 1 <= watermark) {
                    ended.add(content.describe(entry.getKey(), watermark));
                }
            }
            entry.getValue().removeIf(content -> content.end - 1 <= watermark);
            ended.sort(null);
            fired.addAll(ended);
        }
    }

    /** Everything fired, in the order of watermarks, keys and windows. */
    public List<String> fired() {
        return fired;
    }

    /** Records and slices that were in no window in time. */
    public int late() {
        return late;
    }

    private boolean addToWindow(String key, TimeWindow window, Partial rows) {
        List<Content> contents = open.computeIfAbsent(key, k -> new ArrayList<>());
        Content merged = new Content(window.getStart(), window.getEnd());
        merged.rows.merge(rows);
        List<Content> old = new ArrayList<>();
        for (Content content : contents) {
            if (shape.isSession()
                    ? content.start <= merged.end && merged.start <= content.end
                    : content.start == merged.start) {
                old.add(content);
            }
        }
        for (Content content : old) {
            merged.start = Math.min(merged.start, content.start);
            merged.end = Math.max(merged.end, content.end);
            merged.rows.merge(content.rows);
        }
        if (merged.end - 1 <= watermark) {
            return false;
        }
        contents.removeAll(old);
        contents.add(merged);
        return true;
    }

    private static final class Content {

        long start;
        long end;
        final Partial rows = new Partial(Reading.AGGREGATES.specs());

        Content(long start, long end) {
            this.start = start;
            this.end = end;
        }

        String describe(String key, long watermark) {
            return "at "
                    + watermark
                    + " "
                    + key
                    + " ["
                    + start
                    + ", "
                    + end
                    + ") "
                    + Arrays.toString(rows.results(Reading.AGGREGATES.specs()));
        }
    }
}
