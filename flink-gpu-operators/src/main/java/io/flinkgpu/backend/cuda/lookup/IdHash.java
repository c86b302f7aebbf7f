package io.flinkgpu.backend.cuda.lookup;

import java.security.SecureRandom;

/**
 * SipHash-1-3 of an id under a secret key, as the kernels have it: who does not know the key cannot choose ids that
 * collide. J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF" (INDOCRYPT 2012).
 */
record IdHash(long low, long high) {

    static IdHash random() {
        SecureRandom random = new SecureRandom();
        return new IdHash(random.nextLong(), random.nextLong());
    }

    long of(long id) {
        long v0 = low ^ 0x736f6d6570736575L;
        long v1 = high ^ 0x646f72616e646f6dL;
        long v2 = low ^ 0x6c7967656e657261L;
        long v3 = high ^ 0x7465646279746573L ^ id;
        for (int round = 0; round < 4; round++) {
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
            if (round == 0) {
                // The id is in, and the end of what is hashed.
                v0 ^= id;
                v2 ^= 0xff;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
