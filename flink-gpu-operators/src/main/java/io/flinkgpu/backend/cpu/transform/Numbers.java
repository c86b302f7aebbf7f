package io.flinkgpu.backend.cpu.transform;

/** A number for each row of a block: an integer, or the bits of a double. */
public final class Numbers {

    public final long[] words;
    public final boolean[] nulls;

    public Numbers(int rows) {
        words = new long[rows];
        nulls = new boolean[rows];
    }
}
