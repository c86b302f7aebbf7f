package io.flinkgpu.embeddings;

import java.util.Arrays;

/** Numbers from 0 on, which are given out and come back. */
final class Places {

    private long[] free = new long[16];
    private int freeCount;
    private long next;

    Places(long first) {
        next = first;
    }

    boolean hasFree() {
        return freeCount > 0;
    }

    /** One that came back last, or the next one. */
    long take() {
        return freeCount > 0 ? free[--freeCount] : next++;
    }

    /** The number that was never given out. */
    long next() {
        return next;
    }

    void giveBack(long place) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = place;
    }
}
