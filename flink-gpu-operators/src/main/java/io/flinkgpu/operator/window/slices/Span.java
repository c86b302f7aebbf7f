package io.flinkgpu.operator.window.slices;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.ArrayList;
import java.util.List;

/**
 * A span of time and the groups of its records: a slice, or a whole window.
 *
 * @param <S> the key in state
 */
final class Span<S> {

    final long startMillis;
    final long endMillis;

    /** Its windows, the latest first. */
    private final List<TimeWindow> windows;

    /** The watermark from which on none of its windows takes records. */
    final long cleanupTime;

    final List<Layer<S>> layers = new ArrayList<>();

    /**
     * @param windows the latest first; at least one
     */
    Span(long startMillis, long endMillis, List<TimeWindow> windows, long cleanupTime) {
        this.startMillis = startMillis;
        this.endMillis = endMillis;
        this.windows = windows;
        this.cleanupTime = cleanupTime;
    }

    boolean isWithin(TimeWindow window) {
        if (endMillis < startMillis) {
            // Flink's assigner went over the end of time: a window that has wrapped around, by
            // itself.
            return window.getStart() == startMillis && window.getEnd() == endMillis;
        }
        return window.getStart() <= startMillis && endMillis <= window.getEnd();
    }

    /** The first of its windows. */
    TimeWindow firstWindow() {
        return windows.get(windows.size() - 1);
    }

    /** Its windows, the latest first; not kept, but made when they are asked for. */
    List<TimeWindow> windows() {
        return windows;
    }

    /** Those of its windows that end up to a time and have not up to one before, the latest first. */
    List<TimeWindow> ended(long before, long upTo) {
        int from = notEnded(upTo);
        int to = before == Long.MIN_VALUE ? windows.size() : notEnded(before);
        return windows.subList(from, Math.max(from, to));
    }

    /** When the first of its windows fires that has not at a watermark; {@code Long.MAX_VALUE} if none. */
    long nextFiring(long watermark) {
        int notFired = notEnded(watermark);
        return notFired == 0 ? Long.MAX_VALUE : windows.get(notFired - 1).maxTimestamp();
    }

    /** How many of its windows end after a time: the first ones of the list. */
    private int notEnded(long time) {
        int from = 0;
        int to = windows.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (windows.get(middle).maxTimestamp() > time) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** How many of its layers have groups. */
    int groupLayers() {
        return (int) layers.stream().filter(layer -> !layer.isEmpty()).count();
    }

    int nextLayer() {
        int next = 0;
        for (Layer<S> layer : layers) {
            next = Math.max(next, layer.id + 1);
        }
        return next;
    }

    /** The layer that is added to; null if there is none. */
    Layer<S> open() {
        Layer<S> last = layers.isEmpty() ? null : layers.get(layers.size() - 1);
        boolean open = last != null && last.isInMemory() && last.firedUpTo() == Long.MIN_VALUE;
        return open && isAlone(last) ? last : null;
    }

    /**
     * Whether no other layer has the same id, as those of two subtasks may that had fired up to different
     * times: their runs in state are of different key groups only while they are not added to.
     */
    private boolean isAlone(Layer<S> layer) {
        return layers.stream().noneMatch(other -> other != layer && other.id == layer.id);
    }
}
