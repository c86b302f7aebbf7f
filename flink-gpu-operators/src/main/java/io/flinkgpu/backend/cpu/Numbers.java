package io.flinkgpu.backend.cpu;

/** A number for each row of a block: an integer, or the bits of a double. */
final class Numbers {

    final long[] words;
    final boolean[] nulls;

    Numbers(int rows) {
        words = new long[rows];
        nulls = new boolean[rows];
    }
}
