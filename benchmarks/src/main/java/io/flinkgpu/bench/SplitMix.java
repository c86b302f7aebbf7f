package io.flinkgpu.bench;

/** Random numbers that are the same in every language: SplitMix64. One thread's. */
final class SplitMix {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    SplitMix(long seed) {
        state = seed;
    }

    /** The first number that a generator with this seed gives. */
    static long mix64(long seed) {
        return mixed(seed + STEP);
    }

    private static long mixed(long state) {
        long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    long next() {
        state += STEP;
        return mixed(state);
    }

    /** The upper half of the next number. */
    long nextHigh() {
        return next() >>> 32;
    }

    /** A number from 0 to {@code bound - 1}. */
    int below(long bound) {
        return (int) (nextHigh() * bound >>> 32);
    }
}
