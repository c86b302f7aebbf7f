package io.flinkgpu.manykeys;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * For each window and key a hash of its result, which is not 0. Threads may add results at a time, each of
 * keys of its own.
 */
final class Results {

    private final int keys;
    private final Map<Long, long[]> windows = new ConcurrentHashMap<>();
    private final LongAdder repeated = new LongAdder();

    Results(int keys) {
        this.keys = keys;
    }

    /** What the plainest program gives: one array for each number, of the windows that are open. */
    static Results expected(ManyKeys of) {
        Results results = new Results(of.keys());
        TreeMap<Long, Window> open = new TreeMap<>();
        for (long row = 0; row < of.rows(); row++) {
            long time = of.time(row);
            while (!open.isEmpty() && open.firstKey() + of.sizeMillis() <= time) {
                open.remove(open.firstKey()).give(results);
            }
            int key = of.key(row);
            double value = of.value(row);
            for (long start = of.lastStart(time);
                    start > time - of.sizeMillis();
                    start -= of.slideMillis()) {
                open.computeIfAbsent(start, s -> new Window(s, of.keys())).add(key, value);
            }
        }
        open.values().forEach(window -> window.give(results));
        return results;
    }

    /**
     * Adds a result. The same one may come again, after a failure.
     *
     * @throws IllegalStateException if another one of the key and window was added before
     */
    void add(long start, int key, long hash) {
        long[] hashes = windows.computeIfAbsent(start, s -> new long[keys]);
        if (hashes[key] != 0) {
            repeated.increment();
            if (hashes[key] != hash) {
                throw new IllegalStateException(
                        "two results of a window and key differ: start=" + start + ", key=" + key);
            }
        }
        hashes[key] = hash;
    }

    /** How many results came again. */
    long repeated() {
        return repeated.sum();
    }

    long size() {
        return windows.values().stream()
                .mapToLong(hashes -> Arrays.stream(hashes).filter(hash -> hash != 0).count())
                .sum();
    }

    /** The first difference from what is right; empty if there is none. */
    String differenceFrom(Results right) {
        TreeMap<Long, long[]> all = new TreeMap<>(right.windows);
        windows.keySet().forEach(start -> all.putIfAbsent(start, new long[keys]));
        for (Map.Entry<Long, long[]> window : all.entrySet()) {
            long[] actual = windows.getOrDefault(window.getKey(), new long[keys]);
            int key = Arrays.mismatch(actual, window.getValue());
            if (key >= 0) {
                String what =
                        actual[key] == 0
                                ? "lacks"
                                : window.getValue()[key] == 0 ? "should not be" : "is wrong";
                return "a result %s: start=%d, key=%d; of this window %d of %d are there"
                        .formatted(
                                what,
                                window.getKey(),
                                key,
                                Arrays.stream(actual).filter(hash -> hash != 0).count(),
                                Arrays.stream(window.getValue()).filter(hash -> hash != 0).count());
            }
        }
        return "";
    }

    /** A window that is open. */
    private static final class Window {

        private final long start;
        private final long[] counts;
        private final double[] sums;
        private final double[] minima;
        private final double[] maxima;

        Window(long start, int keys) {
            this.start = start;
            counts = new long[keys];
            sums = new double[keys];
            minima = new double[keys];
            maxima = new double[keys];
        }

        void add(int key, double value) {
            boolean first = counts[key]++ == 0;
            sums[key] += value;
            minima[key] = first ? value : Math.min(minima[key], value);
            maxima[key] = first ? value : Math.max(maxima[key], value);
        }

        void give(Results to) {
            for (int key = 0; key < counts.length; key++) {
                if (counts[key] > 0) {
                    double mean = sums[key] / counts[key];
                    to.add(start, key, ManyKeys.hash(counts[key], minima[key], mean, maxima[key]));
                }
            }
        }
    }
}
