package io.flinkgpu.operator.window;

import org.apache.flink.annotation.Internal;

/**
 * The slice of the last timestamp and its threshold; most records are in the slice of the one before, or
 * in one of a few around it. For shapes without sessions. Task thread only.
 */
@Internal
public final class SliceCache {

    private static final int ENTRIES = 64;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final WindowShape shape;
    private final long[] starts = new long[ENTRIES];
    private final long[] thresholds = new long[ENTRIES];
    private final boolean[] used = new boolean[ENTRIES];
    private long startMillis;
    private long endMillis;
    private long threshold;

    public SliceCache(WindowShape shape) {
        this.shape = shape;
    }

    /** Finds the slice of a timestamp. */
    public void find(long timestamp) {
        if (startMillis <= timestamp && timestamp < endMillis) {
            return;
        }
        startMillis = shape.sliceStart(timestamp);
        endMillis = shape.sliceEnd(startMillis);
        int entry = (int) (startMillis * SPREAD >>> 58);
        if (!used[entry] || starts[entry] != startMillis) {
            used[entry] = true;
            starts[entry] = startMillis;
            thresholds[entry] = shape.threshold(startMillis, endMillis);
        }
        threshold = thresholds[entry];
    }

    /** The first millisecond of the slice. */
    public long startMillis() {
        return startMillis;
    }

    /** The first millisecond after the slice. */
    public long endMillis() {
        return endMillis;
    }

    /**
     * The watermark from which on the slice is late for one of its windows; {@code Long.MIN_VALUE} if it
     * is in none.
     */
    public long threshold() {
        return threshold;
    }
}
