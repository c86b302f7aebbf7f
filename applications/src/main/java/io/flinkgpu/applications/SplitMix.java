package io.flinkgpu.applications;

/**
 * Numbers that look random, the same in every language: Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators" (2014). Not thread-safe.
 */
final class SplitMix {

    static final long GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    SplitMix(long seed) {
        this.state = seed;
    }

    /** What {@link #next} gives first for this seed. */
    static long mix(long seed) {
        long z = seed + GAMMA;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    long next() {
        long mixed = mix(state);
        state += GAMMA;
        return mixed;
    }

    /** The upper half of the next number, without a sign. */
    long upper() {
        return next() >>> 32;
    }

    /** A number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return (int) (upper() * bound >>> 32);
    }
}
