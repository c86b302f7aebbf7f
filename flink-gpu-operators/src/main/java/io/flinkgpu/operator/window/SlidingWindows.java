package io.flinkgpu.operator.window;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import java.util.AbstractList;
import java.util.RandomAccess;

/** Windows of a size, each a step before the previous one; made when they are asked for. */
final class SlidingWindows extends AbstractList<TimeWindow> implements RandomAccess {

    private final long latestStart;
    private final long stepMillis;
    private final long sizeMillis;
    private final int count;

    /**
     * @param latestStart of the first of them
     */
    SlidingWindows(long latestStart, long stepMillis, long sizeMillis, int count) {
        this.latestStart = latestStart;
        this.stepMillis = stepMillis;
        this.sizeMillis = sizeMillis;
        this.count = count;
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public TimeWindow get(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(index);
        }
        long start = latestStart - index * stepMillis;
        return new TimeWindow(start, start + sizeMillis);
    }
}
