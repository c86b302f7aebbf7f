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
        if (length <= RowLayout.SHORT_KEY) {
            return ofShort(word(bytes, at, length), second(bytes, at, length), length);
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

    /** The hash of a key of at most {@value RowLayout#SHORT_KEY} bytes, of which {@link #word} and {@link #second} are given. */
    long ofShort(long word, long second, int length) {
        return mix(mix(word ^ seed, second ^ factor) ^ length, factor ^ seed);
    }

    /** The second word of a key; 0 if it is in the first one. */
    static long second(byte[] bytes, int at, int length) {
        return length <= Long.BYTES ? 0 : word(bytes, at + Long.BYTES, length - Long.BYTES);
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
