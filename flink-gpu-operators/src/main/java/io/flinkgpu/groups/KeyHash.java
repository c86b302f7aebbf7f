package io.flinkgpu.groups;

import java.security.SecureRandom;

/**
 * A hash of keys under random numbers, so that nobody who does not know them can choose keys that
 * collide: each word is multiplied by one of them, and both halves of the product are kept. The mixing
 * is that of Wang Yi's wyhash (public domain). Immutable.
 */
final class KeyHash {

    private final long seed;
    private final long factor;

    KeyHash() {
        SecureRandom random = new SecureRandom();
        seed = random.nextLong();
        factor = random.nextLong() | 1;
    }

    /** The hash of any key. */
    long of(byte[] bytes, int at, int length) {
        if (length <= Long.BYTES) {
            return mix(mix(word(bytes, at, length) ^ seed, factor) ^ length, factor ^ seed);
        }
        long hash = seed;
        int end = at + length - Long.BYTES;
        for (int i = at; i < end; i += Long.BYTES) {
            hash = mix(hash ^ (long) KeyBytes.LONGS.get(bytes, i), factor);
        }
        // The last word may overlap the one before it; the length says by how much.
        hash = mix(hash ^ (long) KeyBytes.LONGS.get(bytes, end), factor);
        return mix(hash ^ length, factor ^ seed);
    }

    /** The first bytes of a word, at most eight; the others are 0. */
    static long word(byte[] bytes, int at, int length) {
        long word = (long) KeyBytes.LONGS.get(bytes, at);
        return length >= Long.BYTES ? word : word & (1L << Byte.SIZE * length) - 1;
    }

    private static long mix(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
