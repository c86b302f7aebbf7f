package io.flinkgpu.backend.cpu.aggregate;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.security.SecureRandom;

/**
 * SipHash-1-3 of off-heap bytes under a random key, so that nobody can choose keys that collide. The
 * function is that of J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF"
 * (INDOCRYPT 2012), with one round a word and three at the end.
 */
@Internal
public final class SipHash {

    private static final int LAST_ROUNDS = 3;

    private final long key0;
    private final long key1;

    public SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    public static SipHash random() {
        SecureRandom random = new SecureRandom();
        return new SipHash(random.nextLong(), random.nextLong());
    }

    public long hash(long address, int lengthBytes) {
        long v0 = key0 ^ 0x736f6d6570736575L;
        long v1 = key1 ^ 0x646f72616e646f6dL;
        long v2 = key0 ^ 0x6c7967656e657261L;
        long v3 = key1 ^ 0x7465646279746573L;
        int words = lengthBytes >> 3;
        for (int i = 0; i <= words + LAST_ROUNDS; i++) {
            long word = 0;
            if (i < words) {
                word = MemoryUtil.getLong(address + 8L * i);
            } else if (i == words) {
                word = tail(address + 8L * words, lengthBytes);
            }
            v3 ^= word;
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
            if (i == words) {
                v2 ^= 0xff;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /** The bytes after the last whole word, and the length in the uppermost one. */
    private static long tail(long address, int lengthBytes) {
        long word = (long) lengthBytes << 56;
        for (int i = 0; i < (lengthBytes & 7); i++) {
            word |= (MemoryUtil.getByte(address + i) & 0xffL) << (8 * i);
        }
        return word;
    }
}
