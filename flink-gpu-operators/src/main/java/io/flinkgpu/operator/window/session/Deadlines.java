package io.flinkgpu.operator.window.session;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * Numbers, each with a time, given back in the order of their times. They lie in buckets of time; only
 * the earliest bucket is kept in order, as a heap, so that a number costs the same however many there
 * are. After hierarchical timing wheels (Varghese, Lauck 1987), with one level. Task thread only.
 */
final class Deadlines {

    private static final long MAX_WIDTH = 1L << 30;
    private static final long NUMBER = 0xffff_ffffL;

    private final long widthMillis;
    private final TreeMap<Long, Bucket> buckets = new TreeMap<>();

    /** The bucket that was added to last; null if it may be gone. */
    private Bucket last;

    private long time;
    private long size;

    /**
     * @param widthMillis of a bucket, at least 1
     */
    Deadlines(long widthMillis) {
        this.widthMillis = Math.min(widthMillis, MAX_WIDTH);
    }

    /** How many numbers there are. */
    long size() {
        return size;
    }

    /** Adds a number that is not negative. */
    void add(long at, int number) {
        size++;
        long index = Math.floorDiv(at, widthMillis);
        if (last == null || last.index != index) {
            last = buckets.computeIfAbsent(index, Bucket::new);
        }
        last.add(Math.floorMod(at, widthMillis) << Integer.SIZE | number);
    }

    /** A time that is not after the first one; {@code Long.MAX_VALUE} if there is none. */
    long earliest() {
        if (buckets.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long index = buckets.firstKey();
        long start = index * widthMillis;
        // The first bucket of all may start before the least long.
        return start > 0 && index < 0 ? Long.MIN_VALUE : start;
    }

    /**
     * Removes a number whose time is the first, if that is not after another.
     *
     * @return the number, whose time is {@link #time()}; -1 if there is none
     */
    int poll(long upTo) {
        while (!buckets.isEmpty()) {
            Bucket bucket = buckets.firstEntry().getValue();
            if (bucket.size == 0) {
                buckets.pollFirstEntry();
                last = null;
                continue;
            }
            long first = bucket.first();
            time = bucket.index * widthMillis + (first >>> Integer.SIZE);
            if (time > upTo) {
                return -1;
            }
            bucket.removeFirst();
            size--;
            return (int) (first & NUMBER);
        }
        return -1;
    }

    /** The time of the number that was removed last. */
    long time() {
        return time;
    }

    void clear() {
        buckets.clear();
        last = null;
        size = 0;
    }

    /** The numbers of a span of time, each after the rest of its time; a heap once the first is asked for. */
    private static final class Bucket {

        final long index;
        int size;
        private long[] entries = new long[8];
        private boolean ordered;

        Bucket(long index) {
            this.index = index;
        }

        void add(long entry) {
            if (size == entries.length) {
                entries = Arrays.copyOf(entries, 2 * size);
            }
            entries[size++] = entry;
            if (ordered) {
                rise(size - 1);
            }
        }

        long first() {
            if (!ordered) {
                for (int i = size / 2 - 1; i >= 0; i--) {
                    sink(i);
                }
                ordered = true;
            }
            return entries[0];
        }

        void removeFirst() {
            entries[0] = entries[--size];
            sink(0);
        }

        private void rise(int from) {
            long entry = entries[from];
            int at = from;
            while (at > 0 && entries[(at - 1) / 2] > entry) {
                entries[at] = entries[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            entries[at] = entry;
        }

        private void sink(int from) {
            long entry = entries[from];
            int at = from;
            while (2 * at + 1 < size) {
                int child = 2 * at + 1;
                if (child + 1 < size && entries[child + 1] < entries[child]) {
                    child++;
                }
                if (entries[child] >= entry) {
                    break;
                }
                entries[at] = entries[child];
                at = child;
            }
            entries[at] = entry;
        }
    }
}
