package io.flinkgpu.embeddings;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long the last waits took. Written by one thread, read by any, which may miss those that are just written. */
final class WaitTimes {

    private static final int KEPT = 512;

    private final AtomicLongArray nanos = new AtomicLongArray(KEPT);
    private final AtomicLong count = new AtomicLong();

    void add(long waitNanos) {
        long number = count.getPlain();
        nanos.setOpaque((int) (number % KEPT), waitNanos);
        count.setRelease(number + 1);
    }

    /**
     * The least time that so much of the kept waits took at most; 0 without any.
     *
     * @param share above 0, at most 1
     */
    long quantile(double share) {
        long[] sorted = new long[(int) Math.min(KEPT, count.getAcquire())];
        if (sorted.length == 0) {
            return 0;
        }
        Arrays.setAll(sorted, nanos::getOpaque);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
