package io.flinkgpu.backend.cpu.aggregate;

import io.flinkgpu.backend.plan.TimeSlices;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * Spreads keys over a table: by a folded 128-bit product under random seeds, which is cheap but not proof
 * against one who learns them; so when keys pile up, {@link #harden} changes to {@link SipHash}, which is.
 */
@Internal
public final class BatchHash {

    /** 2^64 by the golden ratio: numbers in a row fall as far from each other as can be. */
    static final long NUMBER_FACTOR = 0x9e3779b97f4a7c15L;

    private final long seed0;
    private final long seed1;
    private final long seed2;
    private final long sliceFactor;
    private final SipHash sipHash;
    private boolean hard;

    public BatchHash(long seed0, long seed1, long seed2, long sliceFactor, SipHash sipHash) {
        this.seed0 = seed0;
        this.seed1 = seed1;
        this.seed2 = seed2;
        this.sliceFactor = sliceFactor | 1;
        this.sipHash = sipHash;
    }

    public static BatchHash random() {
        SecureRandom random = new SecureRandom();
        return new BatchHash(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                SipHash.random());
    }

    public boolean isHard() {
        return hard;
    }

    /** Hashes otherwise from here on. */
    void harden() {
        hard = true;
    }

    /**
     * The hash of a key and a slice.
     *
     * @param word0 the key's first eight bytes; after its end the same for all keys
     * @param word1 the next eight, likewise
     */
    long hash(long word0, long word1, long key, int lengthBytes, long slice) {
        long hash =
                hard
                        ? sipHash.hash(key, lengthBytes)
                        : lengthBytes <= 2 * Long.BYTES
                                ? fold(word0 ^ seed0, word1 ^ seed1)
                                : hashLong(word0, word1, key, lengthBytes);
        return hash + (slice - TimeSlices.NONE) * sliceFactor;
    }

    /** Likewise, of a key of at most 16 bytes without slice, as long as it is not hard. */
    long shortHash(long word0, long word1) {
        return fold(word0 ^ seed0, word1 ^ seed1);
    }

    /**
     * The hash of a number that the caller counts, so that nobody can choose it, and a slice: multiply-shift
     * hashing of M. Dietzfelbinger et al., "A Reliable Randomized Algorithm for the Closest-Pair Problem" (J.
     * Algorithms 25, 1997).
     */
    long ofNumber(int number, long slice) {
        return number * NUMBER_FACTOR + slice * sliceFactor;
    }

    private long hashLong(long word0, long word1, long key, int lengthBytes) {
        long hash = fold(word0 ^ seed0, word1 ^ seed1);
        int last = lengthBytes - Long.BYTES;
        for (int i = 2 * Long.BYTES; i < last; i += Long.BYTES) {
            hash = fold(MemoryUtil.getLong(key + i) ^ hash, seed2);
        }
        return fold(MemoryUtil.getLong(key + last) ^ hash, seed2 ^ lengthBytes);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
