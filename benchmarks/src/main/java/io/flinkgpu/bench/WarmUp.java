package io.flinkgpu.bench;

/** Runs a batch again and again until it gets no faster: the JVM compiles what the host does, and clocks rise. */
final class WarmUp {

    private static final long LEAST_NANOS = 2_000_000_000L;
    private static final long MOST_NANOS = 8_000_000_000L;
    private static final long WINDOW_NANOS = 500_000_000L;
    private static final double SAME = 0.95;

    private WarmUp() {}

    /** Runs the batch of a number, from 0 on. */
    @FunctionalInterface
    interface Batch {
        void run(int number) throws Exception;
    }

    /**
     * Returns once the batches of a window took as long as those of the one before, or nearly.
     *
     * @param least how many batches there are at least
     * @param isQuick whether there are no more
     */
    static void run(int least, boolean isQuick, Batch batch) throws Exception {
        long start = System.nanoTime();
        double before = Double.MAX_VALUE;
        int number = 0;
        while (true) {
            long window = System.nanoTime();
            int first = number;
            do {
                batch.run(number++);
            } while (number < least || !isQuick && System.nanoTime() - window < WINDOW_NANOS);
            double each = (double) (System.nanoTime() - window) / (number - first);
            long all = System.nanoTime() - start;
            if (isQuick || all >= MOST_NANOS || all >= LEAST_NANOS && each > SAME * before) {
                return;
            }
            before = each;
        }
    }
}
