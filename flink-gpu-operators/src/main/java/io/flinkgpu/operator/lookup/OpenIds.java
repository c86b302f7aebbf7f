package io.flinkgpu.operator.lookup;

import java.util.Arrays;

/**
 * Which ids the requests of the open batch have, or share a number with: a change of none of them may as well come
 * before the batch. Task thread only.
 */
final class OpenIds {

    private static final int BITS = 16;

    /** Of each number the batch that had it last. */
    private final int[] batches = new int[1 << BITS];

    private int batch;

    /** Begins the next batch. */
    void clear() {
        if (++batch == 0) {
            Arrays.fill(batches, 0);
            batch = 1;
        }
    }

    void add(long id) {
        batches[number(id)] = batch;
    }

    boolean mayHave(long id) {
        return batches[number(id)] == batch;
    }

    /** Ids of different tables may share one. */
    private static int number(long id) {
        long mixed = (id ^ id >>> 32) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> Long.SIZE - BITS);
    }
}
